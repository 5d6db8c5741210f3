# Text files as C strings: embed(OUT.c HEADER name1 file1 name2 file2 ...). Made when CMake runs,
# which it does again when one of them changes.
function(embed out header)
  set(code "#include \"${header}\"\n")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest name file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
    string(APPEND code "const char ${name}[] = {${bytes}0};\n")
  endwhile()
  file(CONFIGURE OUTPUT ${out} CONTENT "${code}" @ONLY)
endfunction()
