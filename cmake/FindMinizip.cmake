# minizip, zlib's own reader and writer of zip files. The archive: who embeds heatfront then has nothing more to find than zlib.
find_path(Minizip_INCLUDE_DIR minizip/unzip.h)
find_library(Minizip_LIBRARY NAMES libminizip.a)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Minizip REQUIRED_VARS Minizip_LIBRARY Minizip_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "Debian's package is libminizip-dev")
mark_as_advanced(Minizip_INCLUDE_DIR Minizip_LIBRARY)
if(Minizip_FOUND AND NOT TARGET Minizip::Minizip)
  find_package(ZLIB REQUIRED)
  add_library(Minizip::Minizip STATIC IMPORTED)
  set_target_properties(Minizip::Minizip PROPERTIES
    IMPORTED_LOCATION ${Minizip_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Minizip_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES ZLIB::ZLIB)
endif()
