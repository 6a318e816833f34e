# Warnings for our own code, as a target that it links and nobody else sees.
add_library(heatfront_warnings INTERFACE)
target_compile_options(heatfront_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wdouble-promotion
  -Wno-missing-field-initializers -Werror)
# GCC 12 takes "text" + string for a copy that overlaps (its bug 105651).
target_compile_options(heatfront_warnings INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
