/* The run-time library of compiled programs as text (cmake/embed.cmake): the files of
 * compile/runtime, in the order in which they stand in a program. */
#ifndef COUPLET_COMPILE_RUNTIME_H
#define COUPLET_COMPILE_RUNTIME_H

extern const char runtime_head[], runtime_run[], runtime_number[], runtime_noise[], runtime_real[],
    runtime_float[], runtime_value[], runtime_text[], runtime_main[], runtime_module[];

#endif
