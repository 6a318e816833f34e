# Installs the program, and what find_package(heatfront) needs; the libraries see to themselves (library.cmake).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heatfront)

if(HEATFRONT_PROGRAM)
  install(TARGETS heatfront_program heatfront_explore_server RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET heatfront_cluster_program)
    install(TARGETS heatfront_cluster_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  # The manual page and what shells complete come from the program itself.
  foreach(written "manual|${CMAKE_INSTALL_MANDIR}/man1/heatfront.1"
                  "completion bash|${CMAKE_INSTALL_DATADIR}/bash-completion/completions/heatfront"
                  "completion zsh|${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_heatfront"
                  "completion fish|${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/heatfront.fish")
    string(REPLACE "|" ";" written "${written}")
    list(GET written 0 words)
    list(GET written 1 file)
    string(REPLACE " " ";" words "${words}")
    install(CODE "
      set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\")
      get_filename_component(folder \"\${file}\" DIRECTORY)
      file(MAKE_DIRECTORY \"\${folder}\")
      message(STATUS \"Installing: \${file}\")
      execute_process(COMMAND \"$<TARGET_FILE:heatfront_program>\" ${words} OUTPUT_FILE \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
endif()

configure_package_config_file(cmake/heatfront-config.cmake.in ${PROJECT_BINARY_DIR}/heatfront-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heatfront-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heatfront-config.cmake ${PROJECT_BINARY_DIR}/heatfront-config-version.cmake
              cmake/FindMinizip.cmake cmake/FindSerialBLIS.cmake
        DESTINATION ${package_dir})
