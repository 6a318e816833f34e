# heatfront_library(FOLDER [COMPUTES] HEADERS … SOURCES …): one of the libraries under src/, installed and exported. FOLDER heatfront is the
# target heatfront_core and heatfront::heatfront; heatfront_io is heatfront_io and heatfront::io. Headers that are not listed are
# not installed. One that COMPUTES is optimised in every build; the others are not where HEATFRONT_FAST_COMPILE is on, which halves the
# time that the sanitizers' compiler takes for them. They read, write and call what computes, and are optimised
# little in any build: a third of their compile time.
function(heatfront_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 library "COMPUTES" "" "HEADERS;SOURCES")
  if(folder STREQUAL heatfront)
    set(target heatfront_core)
    set(name heatfront)
  else()
    set(target ${folder})
    string(REPLACE heatfront_ "" name ${folder})
  endif()
  add_library(${target} ${library_SOURCES})
  add_library(heatfront::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${folder} EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # The same bits on every machine (base/simd.h). Nobody reads errno or traps after mathematics; to promise them would
  # keep loops with square roots and choices out of the vector units.
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno -fno-trapping-math)
  # Compiled once for those that have the same flags: the first of each kind is the one that the others rest on.
  if(library_COMPUTES)
    set(first heatfront_core)
  else()
    set(first heatfront_io)
    set(json <nlohmann/json.hpp>)
    if(HEATFRONT_FAST_COMPILE)
      target_compile_options(${target} PRIVATE -O0)
    else()
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  endif()
  if(target STREQUAL first)
    target_precompile_headers(${target} PRIVATE
      <fmt/core.h> <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <memory> <optional> <span>
      <string> <string_view> <utility> <vector> ${json})
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
  endif()
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${library_HEADERS})
  target_link_libraries(${target} PRIVATE fmt::fmt $<BUILD_INTERFACE:heatfront_warnings>
    $<BUILD_INTERFACE:heatfront_hardening>)
  compile_in_groups(${target} 16)
  install(TARGETS ${target} EXPORT ${folder}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${folder} NAMESPACE heatfront:: FILE ${target}.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heatfront)
endfunction()
