# Scotch with 32-bit numbers, as the PETSc of Debian has it.
find_path(Scotch_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch-int32 scotch)
find_library(Scotch_LIBRARY NAMES scotch PATH_SUFFIXES scotch-int32)
find_library(Scotch_ERROR_LIBRARY NAMES scotcherr PATH_SUFFIXES scotch-int32)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Scotch REQUIRED_VARS Scotch_LIBRARY Scotch_ERROR_LIBRARY Scotch_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "Debian's package is libscotch-dev")
mark_as_advanced(Scotch_INCLUDE_DIR Scotch_LIBRARY Scotch_ERROR_LIBRARY)
if(Scotch_FOUND AND NOT TARGET Scotch::Scotch)
  add_library(Scotch::Scotch INTERFACE IMPORTED)
  set_target_properties(Scotch::Scotch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${Scotch_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${Scotch_LIBRARY};${Scotch_ERROR_LIBRARY}")
endif()
