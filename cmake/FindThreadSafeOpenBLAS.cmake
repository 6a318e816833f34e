# The OpenBLAS that several threads may call at once: heatfront brings the threads. Debian's serial build is not that one:
# it has no locks, two calls can claim the same buffer, and the products are wrong. The OpenMP build has them, starts no
# threads when it is loaded, and stays on a calling thread that has set its number of OpenMP threads to one.
find_library(ThreadSafeOpenBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-openmp NO_CACHE
             PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp /usr/lib/openblas-openmp NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ThreadSafeOpenBLAS REQUIRED_VARS ThreadSafeOpenBLAS_LIBRARY
                                  REASON_FAILURE_MESSAGE "Debian's package is libopenblas-openmp-dev")
if(ThreadSafeOpenBLAS_FOUND AND NOT TARGET ThreadSafeOpenBLAS::ThreadSafeOpenBLAS)
  add_library(ThreadSafeOpenBLAS::ThreadSafeOpenBLAS SHARED IMPORTED)
  set_target_properties(ThreadSafeOpenBLAS::ThreadSafeOpenBLAS PROPERTIES IMPORTED_LOCATION ${ThreadSafeOpenBLAS_LIBRARY})
endif()
