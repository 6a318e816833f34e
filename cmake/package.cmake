# Installs the program, and what find_package(heatfront) needs; the libraries see to themselves (library.cmake).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heatfront)

if(HEATFRONT_PROGRAM)
  install(TARGETS heatfront_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/heatfront-config.cmake.in ${PROJECT_BINARY_DIR}/heatfront-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heatfront-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heatfront-config.cmake ${PROJECT_BINARY_DIR}/heatfront-config-version.cmake
              cmake/FindMinizip.cmake cmake/FindSerialBLIS.cmake
        DESTINATION ${package_dir})
