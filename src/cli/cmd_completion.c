/* couplet completion SHELL: a completion script, made from the same tables as --help, so that it
 * knows every command and option of this very binary. */
#include <stdlib.h>
#include <string.h>

#include "base/exit_codes.h"
#include "cli/cli.h"

static const char *const shells[] = {"bash", "zsh", "fish"};

/* Options name a kind of argument in capitals; these are answered with paths. */
static bool wants_path(const struct option_spec *o) {
  static const char *const paths[] = {"DIR", "OUT", "FILE"};
  for (size_t i = 0; o->argument && i < sizeof paths / sizeof *paths; i++)
    if (strcmp(o->argument, paths[i]) == 0) return true;
  return false;
}

static bool wants_folder(const struct option_spec *o) {
  return o->argument && strcmp(o->argument, "DIR") == 0;
}

/* Text inside single quotes of a shell. */
static void quoted(struct buffer *b, const char *text, const char *escape_of_quote) {
  for (; *text; text++) {
    if (*text == '\'')
      buffer_puts(b, escape_of_quote);
    else
      buffer_putc(b, *text);
  }
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void bash_command(struct buffer *b, const struct command *c) {
  buffer_printf(b, "    %s)\n      case $before in\n", c->name);
  for (size_t i = 0; i < c->option_count; i++)
    if (c->options[i].argument)
      buffer_printf(b, "        --%s) %s ;;\n", c->options[i].name,
                    wants_folder(&c->options[i]) ? "COMPREPLY=($(compgen -d -- \"$word\")); return"
                    : wants_path(&c->options[i]) ? "COMPREPLY=($(compgen -f -- \"$word\")); return"
                                                 : "return");
  buffer_puts(b, "      esac\n      options='--help");
  for (size_t i = 0; i < c->option_count; i++)
    buffer_printf(b, " --%s", c->options[i].name);
  buffer_puts(b, "' ;;\n");
}

static void bash(struct buffer *b, const struct command *const *commands) {
  buffer_puts(b,
              "# bash completion for couplet; source it, or put it into "
              "/usr/share/bash-completion/completions/couplet\n"
              "_couplet() {\n"
              "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options=\n"
              "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
              "    COMPREPLY=($(compgen -W '--help --version");
  for (size_t i = 0; commands[i]; i++)
    buffer_printf(b, " %s", commands[i]->name);
  buffer_puts(b, "' -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (size_t i = 0; commands[i]; i++)
    bash_command(b, commands[i]);
  buffer_puts(b,
              "  esac\n"
              "  if [[ $word == -* ]]; then\n"
              "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
              "  else\n"
              "    COMPREPLY=($(compgen -d -- \"$word\") $(compgen -f -X '!*.@(dp|dipa|json)' -- "
              "\"$word\"))\n"
              "  fi\n"
              "}\n"
              "shopt -s extglob\n"
              "complete -o filenames -F _couplet couplet\n");
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* Brackets and colons have a meaning in the specifications of _arguments. */
static void zsh_text(struct buffer *b, const char *text) {
  for (; *text; text++) {
    if (strchr("[]:", *text)) buffer_putc(b, '\\');
    if (*text == '\'')
      buffer_puts(b, "'\\''");
    else
      buffer_putc(b, *text);
  }
}

static void zsh_command(struct buffer *b, const struct command *c) {
  buffer_printf(b, "    %s)\n      _arguments '--help[show the options]'", c->name);
  for (size_t i = 0; i < c->option_count; i++) {
    const struct option_spec *o = &c->options[i];
    buffer_printf(b, " \\\n        '%s--%s%s[", o->kind == OPTION_LIST ? "*" : "", o->name,
                  o->argument ? "=" : "");
    zsh_text(b, o->help);
    buffer_puts(b, "]");
    if (o->argument)
      buffer_printf(b, ":%s:%s", o->argument,
                    wants_folder(o) ? "_files -/"
                    : wants_path(o) ? "_files"
                                    : "");
    buffer_puts(b, "'");
  }
  buffer_puts(b, " \\\n        '*:file:_files -g \"*.(dp|dipa|json)\"' ;;\n");
}

static void zsh(struct buffer *b, const struct command *const *commands) {
  buffer_puts(b, "#compdef couplet\n"
                 "# zsh completion for couplet; put it as _couplet into a folder of $fpath\n"
                 "_couplet() {\n"
                 "  local -a commands=(\n");
  for (size_t i = 0; commands[i]; i++) {
    buffer_printf(b, "    '%s:", commands[i]->name);
    quoted(b, commands[i]->summary, "'\\''");
    buffer_puts(b, "'\n");
  }
  buffer_puts(b, "  )\n"
                 "  if (( CURRENT == 2 )); then\n"
                 "    _describe command commands\n"
                 "    return\n"
                 "  fi\n"
                 "  shift words\n"
                 "  (( CURRENT-- ))\n"
                 "  case $words[1] in\n");
  for (size_t i = 0; commands[i]; i++)
    zsh_command(b, commands[i]);
  buffer_puts(b, "  esac\n}\n_couplet \"$@\"\n");
}

/* ---- fish ------------------------------------------------------------------------------------ */

static void fish(struct buffer *b, const struct command *const *commands) {
  buffer_puts(b,
              "# fish completion for couplet; put it into ~/.config/fish/completions/couplet.fish\n"
              "complete -c couplet -n __fish_use_subcommand -f -l help -d 'list the commands'\n"
              "complete -c couplet -n __fish_use_subcommand -f -l version -d 'show the version'\n");
  for (size_t i = 0; commands[i]; i++) {
    const struct command *c = commands[i];
    buffer_printf(b, "complete -c couplet -n __fish_use_subcommand -f -a %s -d '", c->name);
    quoted(b, c->summary, "\\'");
    buffer_puts(b, "'\n");
    for (size_t k = 0; k < c->option_count; k++) {
      const struct option_spec *o = &c->options[k];
      buffer_printf(b, "complete -c couplet -n '__fish_seen_subcommand_from %s' -l %s%s -d '",
                    c->name, o->name,
                    wants_path(o) ? " -r -F"
                    : o->argument ? " -x"
                                  : "");
      quoted(b, o->help, "\\'");
      buffer_puts(b, "'\n");
    }
  }
}

static int run_completion(const struct cli *cli, const struct command *self, int argc,
                          char **argv) {
  option_list words = {0};
  int status;
  if (!cli_parse(cli, self, NULL, argc, argv, &words, &status)) {
    vec_clear(&words);
    return status;
  }
  const char *shell = words.len == 1 ? words.at[0] : "";
  struct buffer b;
  buffer_init(&b);
  if (strcmp(shell, shells[0]) == 0)
    bash(&b, cli_commands());
  else if (strcmp(shell, shells[1]) == 0)
    zsh(&b, cli_commands());
  else if (strcmp(shell, shells[2]) == 0)
    fish(&b, cli_commands());
  vec_clear(&words);
  status = b.len ? cli_print(cli, &b, COUPLET_EXIT_PROVED)
                 : cli_usage_error(cli, self, xstrdup("name a shell: bash, zsh or fish"));
  buffer_clear(&b);
  return status;
}

const struct command command_completion = {
    "completion", "bash|zsh|fish", "print a completion script for a shell", NULL, 0, run_completion,
    NULL};
