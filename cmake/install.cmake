if(NOT COUPLET_ARB_IN_FLINT)
  get_filename_component(ARB_LINK ${ARB_LIB} NAME_WE)
  string(REGEX REPLACE "^lib" "-l" ARB_LINK ${ARB_LINK})
endif()
configure_file(cmake/couplet.pc.in couplet.pc @ONLY)
install(TARGETS couplet couplet-check couplet-recount RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS couplet_core ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS couplet_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/couplet.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/couplet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES docs/couplet.1 docs/couplet-check.1 docs/couplet-recount.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Schemas of what --json prints.
install(DIRECTORY docs/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/couplet FILES_MATCHING PATTERN "*.json")

# The reader of Python and C files, where src/lang/translate/child.c looks for it.
install(DIRECTORY python/couplet DESTINATION ${CMAKE_INSTALL_DATADIR}/couplet/python
        PATTERN "__pycache__" EXCLUDE PATTERN "*.pyc" EXCLUDE)

# What `couplet serve` shows, and the editor of `make playground-editor` if it was made.
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/couplet PATTERN "api" EXCLUDE)
install(FILES ${CMAKE_BINARY_DIR}/playground/bundle.js OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/couplet/playground)

# Completion scripts come out of the binary itself.
set(completions ${CMAKE_BINARY_DIR}/completions)
add_custom_command(OUTPUT ${completions}/bash ${completions}/zsh ${completions}/fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}
  COMMAND couplet completion bash > ${completions}/bash
  COMMAND couplet completion zsh > ${completions}/zsh
  COMMAND couplet completion fish > ${completions}/fish
  DEPENDS couplet VERBATIM)
add_custom_target(completions ALL DEPENDS ${completions}/bash)
install(FILES ${completions}/bash RENAME couplet
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completions}/zsh RENAME _couplet
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${completions}/fish RENAME couplet.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
