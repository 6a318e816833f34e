# compile_in_groups(TARGET SIZE): where UNITY_BUILD is on, compiles the sources of a folder and those below it in groups of up to
# SIZE. Headers and what they instantiate cost more than the sources do: eight tests take 10 s to compile, sixteen 12 s. Names
# that a source keeps to itself must differ within a folder.
function(compile_in_groups target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  # GCC takes a type without linkage for a mistake where a header has it, and sources look like headers here.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(REGEX REPLACE "/.*" "" folder "${folder}")
    string(MAKE_C_IDENTIFIER "in_${folder}" folder)
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR group "${count_${folder}} / ${size}")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
endfunction()
