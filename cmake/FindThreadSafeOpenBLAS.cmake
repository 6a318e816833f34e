# The OpenBLAS that several threads may call at once: heatfront brings the threads. Debian's serial build is not that one:
# it has no locks, two calls can claim the same buffer, and the products are wrong. The OpenMP build has them, starts no
# threads when it is loaded, and stays on a calling thread that has set its number of OpenMP threads to one. That is said
# to GCC's OpenMP runtime, which it was built with, also when the compiler is Clang: a second runtime would not be heard.
find_library(ThreadSafeOpenBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-openmp NO_CACHE
             PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp /usr/lib/openblas-openmp NO_DEFAULT_PATH)
find_library(ThreadSafeOpenBLAS_OPENMP NAMES libgomp.so.1)
mark_as_advanced(ThreadSafeOpenBLAS_OPENMP)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ThreadSafeOpenBLAS REQUIRED_VARS ThreadSafeOpenBLAS_LIBRARY ThreadSafeOpenBLAS_OPENMP
                                  REASON_FAILURE_MESSAGE "Debian's packages are libopenblas-openmp-dev and libgomp1")
if(ThreadSafeOpenBLAS_FOUND AND NOT TARGET ThreadSafeOpenBLAS::ThreadSafeOpenBLAS)
  add_library(ThreadSafeOpenBLAS::ThreadSafeOpenBLAS SHARED IMPORTED)
  set_target_properties(ThreadSafeOpenBLAS::ThreadSafeOpenBLAS PROPERTIES
    IMPORTED_LOCATION ${ThreadSafeOpenBLAS_LIBRARY}
    INTERFACE_LINK_LIBRARIES ${ThreadSafeOpenBLAS_OPENMP})
endif()
