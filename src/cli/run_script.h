/* couplet run --script: runs with values and noise from a file, for comparisons with other
 * programs.
 *
 * The script is a JSON array of {"mechanism": NAME, "params": {NAME: TEXT}, "inputs": {NAME: TEXT},
 * "noise": [TEXT, ...]}; texts are expressions of the language, noise is as in
 * run/sample/scripted.h. Each run gives one line of JSON: {"output": TEXT, "drawn": N}, or
 * {"error": MESSAGE}. */
#ifndef COUPLET_CLI_RUN_SCRIPT_H
#define COUPLET_CLI_RUN_SCRIPT_H

#include <stdint.h>

#include "cli/cli.h"
#include "lang/translate/translate.h"

int run_script(const struct cli *cli, const char *path, const char *script, uint64_t max_steps,
               const struct translate_options *how);

#endif
