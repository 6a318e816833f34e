# Warnings for our own code, as a target that it links and nobody else sees.
add_library(heatfront_warnings INTERFACE)
target_compile_options(heatfront_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wdouble-promotion
  -Wno-missing-field-initializers -Werror)
