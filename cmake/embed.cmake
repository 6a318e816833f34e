# embed_file(TARGET FILE NAME): compiles FILE into TARGET as `extern const std::span<const unsigned char> NAME` of
# namespace heatfront::embedded.
function(embed_file target file name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(CONFIGURE [[
#include <span>
namespace heatfront::embedded {
namespace {
constexpr unsigned char kBytes[] = {@bytes@};
}
extern const std::span<const unsigned char> @name@;
constinit const std::span<const unsigned char> @name@(kBytes);
}
]] text @ONLY)
  file(GENERATE OUTPUT ${source} CONTENT "${text}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  target_sources(${target} PRIVATE ${source})
endfunction()
