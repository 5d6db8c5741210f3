# Labels: a test is labelled by its kind and layer, and by what its source (for golden tests: the file `labels` of
# the topic) says in a line `ctest-label: NAME`. `release`: too slow for the sanitizers (scripts/test.sh).
# `ctest-cost: SECONDS` says what a long test takes; the longest start first, so that none runs alone at the end.
function(label_test test source)
  set(labels ${ARGN})
  if(EXISTS ${source})
    file(STRINGS ${source} said REGEX "ctest-label: [a-z]+")
    foreach(line ${said})
      string(REGEX REPLACE ".*ctest-label: ([a-z]+).*" "\\1" label "${line}")
      list(APPEND labels ${label})
    endforeach()
    file(STRINGS ${source} cost REGEX "ctest-cost: [0-9]+" LIMIT_COUNT 1)
    if(cost)
      string(REGEX REPLACE ".*ctest-cost: ([0-9]+).*" "\\1" seconds "${cost}")
      set_tests_properties(${test} PROPERTIES COST ${seconds})
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${labels}")
endfunction()

# A program whose test does not run under the sanitizers is built there only when somebody asks for it.
function(leave_out target source)
  file(STRINGS ${source} said REGEX "ctest-label: release")
  if(said AND (COUPLET_SANITIZE OR COUPLET_TSAN))
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()

# Unit tests: each tests/unit/<layer>/test_<name>.c is one cmocka program.
# tests/lib holds helpers that several of them share.
enable_testing()
# What a test does itself takes no time: its program is not worth optimising. (Where headers are
# precompiled, all code is generated alike.)
set(COUPLET_TEST_OPTIONS $<$<NOT:$<BOOL:${COUPLET_PRECOMPILE}>>:-O1>)
find_library(CMOCKA_LIB cmocka)
find_library(GLPK_LIB glpk) # tests only: an independent LP solver
if(CMOCKA_LIB)
  file(GLOB TEST_HELPERS CONFIGURE_DEPENDS tests/lib/*.c)
  add_library(couplet_testlib STATIC ${TEST_HELPERS})
  target_include_directories(couplet_testlib PUBLIC tests/lib)
  precompile(couplet_testlib)
  target_link_libraries(couplet_testlib PUBLIC couplet_serve couplet_lsp couplet_core ${CMOCKA_LIB})
  if(GLPK_LIB)
    target_link_libraries(couplet_testlib PUBLIC ${GLPK_LIB})
  endif()
  # There are many test programs, each with the whole library: the usual linker takes three times as long.
  find_program(COUPLET_LLD ld.lld)
  if(COUPLET_LLD AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(couplet_testlib INTERFACE -fuse-ld=lld)
  endif()
  file(GLOB UNIT_TESTS CONFIGURE_DEPENDS tests/unit/*/test_*.c)
  foreach(source ${UNIT_TESTS})
    get_filename_component(name ${source} NAME_WE)
    get_filename_component(layer ${source} DIRECTORY)
    get_filename_component(layer ${layer} NAME)
    set(target unit_${layer}_${name})
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE couplet_testlib)
    target_compile_options(${target} PRIVATE ${COUPLET_TEST_OPTIONS})
    precompile(${target})
    leave_out(${target} ${source})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME unit/${layer}/${name} COMMAND ${target} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    label_test(unit/${layer}/${name} ${source} unit ${layer})
  endforeach()

  # Fuzz targets without libFuzzer: their corpus is part of the suite. A target reads the folder of
  # its language (dp, dipa, lsp) and its own, where inputs go that once broke it.
  file(GLOB FUZZ_SOURCES CONFIGURE_DEPENDS fuzz/fuzz_*.c)
  foreach(source ${FUZZ_SOURCES})
    get_filename_component(target ${source} NAME_WE)
    string(REPLACE "fuzz_" "" name ${target})
    add_executable(replay_${name} ${source} fuzz/replay.c)
    target_link_libraries(replay_${name} PRIVATE couplet_testlib)
    set_target_properties(replay_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    if(name STREQUAL "dipa" OR name STREQUAL "lsp")
      set(folders fuzz/corpus/${name})
    else()
      set(folders fuzz/corpus/dp fuzz/corpus/${name} tests/regress/syntax)
    endif()
    add_test(NAME fuzz/${name} COMMAND replay_${name} ${folders} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    label_test(fuzz/${name} ${source} fuzz)
  endforeach()
endif()

# Script tests: each tests/scripts/<name>.sh gets the binary's path and must exit 0 (77: skipped).
file(GLOB SCRIPT_TESTS CONFIGURE_DEPENDS tests/scripts/*.sh)
foreach(source ${SCRIPT_TESTS})
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME script/${name} COMMAND bash ${source} $<TARGET_FILE:couplet>
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(script/${name} PROPERTIES SKIP_RETURN_CODE 77)
  label_test(script/${name} ${source} script)
endforeach()

# Golden tests: tests/regress/<topic>/<case>.cmd with its expected output beside it.
file(GLOB TOPICS CONFIGURE_DEPENDS tests/regress/*)
foreach(topic ${TOPICS})
  if(IS_DIRECTORY ${topic})
    get_filename_component(name ${topic} NAME)
    add_test(NAME regress/${name}
             COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/regress/run.py $<TARGET_FILE:couplet> ${topic})
    label_test(regress/${name} ${topic}/labels regress)
  endif()
endforeach()

# Benchmarks in C: each bench/<name>.c is bench_<name>; bench/<name>.sh runs it.
file(GLOB BENCHMARKS CONFIGURE_DEPENDS bench/*.c)
foreach(source ${BENCHMARKS})
  get_filename_component(name ${source} NAME_WE)
  set(library couplet_core)
  if(name STREQUAL "automata_disjunctions") # its automata are made by tests/lib
    set(library couplet_testlib)
  endif()
  if(TARGET ${library})
    add_executable(bench_${name} ${source})
    target_link_libraries(bench_${name} PRIVATE ${library})
    if(COUPLET_SANITIZE OR COUPLET_TSAN)
      set_target_properties(bench_${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
  endif()
endforeach()

# Verdicts in the tests are those of this run; under the sanitizers property tests have fewer rounds.
get_property(all_tests DIRECTORY PROPERTY TESTS)
# Memory of solvers goes back to the system at the end only, as in couplet itself (src/cli/main.c): half of
# the time of some tests was page faults.
set(test_environment COUPLET_CACHE=off MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=268435456)
if(COUPLET_SANITIZE OR COUPLET_TSAN)
  list(APPEND test_environment COUPLET_TEST_SCALE=0.2)
endif()
set_tests_properties(${all_tests} PROPERTIES ENVIRONMENT "${test_environment}")
