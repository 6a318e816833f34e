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

# embed_presets(TARGET FOLDER ENDING FUNCTION): compiles FOLDER/MODEL/NAME.ENDING, all there are, into TARGET as
# heatfront::embedded::FUNCTION().
function(embed_presets target folder ending function)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${function}.cpp)
  set(arrays "")
  set(entries "")
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*/*.${ending})
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    cmake_path(GET file PARENT_PATH parent)
    cmake_path(GET parent FILENAME model)
    string(MAKE_C_IDENTIFIER "k_${model}_${name}" array)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "constexpr unsigned char ${array}[] = {${bytes}};\n")
    string(APPEND entries "    {\"${model}\", \"${name}\", text_in(${array})},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  string(CONFIGURE [[
#include "heatfront/train/presets.h"
namespace heatfront::embedded {
namespace {
@arrays@
std::string_view text_in(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
}
std::span<const Preset> @function@();
std::span<const Preset> @function@() {
  static const Preset kTable[] = {
@entries@  };
  return kTable;
}
}
]] text @ONLY)
  file(GENERATE OUTPUT ${source} CONTENT "${text}")
  target_sources(${target} PRIVATE ${source})
endfunction()
