# What makes a mistake in our code end the program instead of serving an attacker, as targets that it links and nobody else
# sees; release builds alone, because sanitizers find more. Not among it is -D_GLIBCXX_ASSERTIONS: the inner loops index
# vectors and spans, and each index would be compared.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported()
check_cxx_compiler_flag(-fcf-protection HEATFRONT_HAS_CF_PROTECTION)  # x86
check_cxx_compiler_flag(-fstack-clash-protection HEATFRONT_HAS_STACK_CLASH_PROTECTION)

add_library(heatfront_hardening INTERFACE)
set(flags -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
if(HEATFRONT_HAS_CF_PROTECTION)
  list(APPEND flags -fcf-protection)
endif()
if(HEATFRONT_HAS_STACK_CLASH_PROTECTION)
  list(APPEND flags -fstack-clash-protection)
endif()
target_compile_options(heatfront_hardening INTERFACE "$<$<CONFIG:Release>:${flags}>")
target_link_options(heatfront_hardening INTERFACE
  "$<$<CONFIG:Release>:LINKER:-z,relro;LINKER:-z,now;LINKER:-z,noexecstack>")
