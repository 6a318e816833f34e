# faiss as Debian ships it: a static library that wants BLAS and GCC's OpenMP runtime. Its own package file asks for
# the compiler's OpenMP, which would put a second runtime beside the one it was built with when the compiler is Clang.
find_path(FaissStatic_INCLUDE_DIR faiss/IndexFlat.h)
find_library(FaissStatic_LIBRARY NAMES libfaiss.a)
find_library(FaissStatic_OPENMP NAMES libgomp.so.1)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FaissStatic
  REQUIRED_VARS FaissStatic_LIBRARY FaissStatic_INCLUDE_DIR FaissStatic_OPENMP
  REASON_FAILURE_MESSAGE "Debian's packages are libfaiss-dev and libgomp1")
mark_as_advanced(FaissStatic_INCLUDE_DIR FaissStatic_LIBRARY FaissStatic_OPENMP)
if(FaissStatic_FOUND AND NOT TARGET FaissStatic::FaissStatic)
  add_library(FaissStatic::FaissStatic STATIC IMPORTED)
  set_target_properties(FaissStatic::FaissStatic PROPERTIES
    IMPORTED_LOCATION ${FaissStatic_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${FaissStatic_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${FaissStatic_OPENMP};ThreadSafeOpenBLAS::ThreadSafeOpenBLAS")
endif()
