# BLIS without threads of its own, which several threads may call at once: heatfront brings the threads. The archive, because
# the choice of kernels (bli_cntx_init_haswell) is not in the shared library, and because who embeds heatfront then has nothing
# to find when the program starts.
find_path(SerialBLIS_INCLUDE_DIR blis.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/blis-serial blis-serial)
find_library(SerialBLIS_LIBRARY NAMES libblis.a PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/blis-serial blis-serial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SerialBLIS REQUIRED_VARS SerialBLIS_LIBRARY SerialBLIS_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "Debian's package is libblis-serial-dev")
mark_as_advanced(SerialBLIS_INCLUDE_DIR SerialBLIS_LIBRARY)
if(SerialBLIS_FOUND AND NOT TARGET SerialBLIS::SerialBLIS)
  add_library(SerialBLIS::SerialBLIS STATIC IMPORTED)
  set_target_properties(SerialBLIS::SerialBLIS PROPERTIES
    IMPORTED_LOCATION ${SerialBLIS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SerialBLIS_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "Threads::Threads;m")
endif()
