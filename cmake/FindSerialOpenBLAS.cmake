# OpenBLAS without threads of its own: heatfront brings the threads, each calls BLAS by itself, and none of them spins.
find_library(SerialOpenBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-serial NO_CACHE
             PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial /usr/lib/openblas-serial NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SerialOpenBLAS REQUIRED_VARS SerialOpenBLAS_LIBRARY
                                  REASON_FAILURE_MESSAGE "Debian's package is libopenblas-serial-dev")
if(SerialOpenBLAS_FOUND AND NOT TARGET SerialOpenBLAS::SerialOpenBLAS)
  add_library(SerialOpenBLAS::SerialOpenBLAS SHARED IMPORTED)
  set_target_properties(SerialOpenBLAS::SerialOpenBLAS PROPERTIES IMPORTED_LOCATION ${SerialOpenBLAS_LIBRARY})
endif()
