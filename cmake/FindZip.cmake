# libzip by its header and library: the package file of Debian's libzip-dev asks for command line tools as well.
find_path(Zip_INCLUDE_DIR zip.h)
find_library(Zip_LIBRARY NAMES zip)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zip REQUIRED_VARS Zip_LIBRARY Zip_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "Debian's package is libzip-dev")
mark_as_advanced(Zip_INCLUDE_DIR Zip_LIBRARY)
if(Zip_FOUND AND NOT TARGET Zip::Zip)
  add_library(Zip::Zip UNKNOWN IMPORTED)
  set_target_properties(Zip::Zip PROPERTIES
    IMPORTED_LOCATION ${Zip_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Zip_INCLUDE_DIR})
endif()
