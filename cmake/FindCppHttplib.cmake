# cpp-httplib as Debian builds it: a shared library, whose header needs to be told what it was built with.
find_path(CppHttplib_INCLUDE_DIR httplib.h)
find_library(CppHttplib_LIBRARY NAMES cpp-httplib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CppHttplib REQUIRED_VARS CppHttplib_LIBRARY CppHttplib_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "Debian's package is libcpp-httplib-dev")
mark_as_advanced(CppHttplib_INCLUDE_DIR CppHttplib_LIBRARY)
if(CppHttplib_FOUND AND NOT TARGET CppHttplib::CppHttplib)
  add_library(CppHttplib::CppHttplib SHARED IMPORTED)
  set_target_properties(CppHttplib::CppHttplib PROPERTIES
    IMPORTED_LOCATION ${CppHttplib_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${CppHttplib_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS "CPPHTTPLIB_OPENSSL_SUPPORT;CPPHTTPLIB_ZLIB_SUPPORT;CPPHTTPLIB_BROTLI_SUPPORT")
endif()
