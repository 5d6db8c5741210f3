/* The Python module: a template with a few names put in. */
#include <string.h>

#include "base/sha256.h"
#include "compile/gen.h"
#include "compile/runtime.h"
#include "lang/syntax/lang.h"

/* Strings of Python and of C agree on what cgen_string writes. */
static void put_name(struct buffer *out, const char *name) {
  if (out->len) buffer_puts(out, ", ");
  cgen_string(out, name);
}

static void put_docstring(struct buffer *out, const char *about) {
  for (const char *s = about; *s; s++) {
    if (*s == '"' || *s == '\\') buffer_putc(out, '\\');
    buffer_putc(out, *s);
  }
}

/* Keywords of Python, and names of Python that the template itself uses: a function of that name
 * would be no function, or would break the rest. tests/scripts/compile.sh compares the list with
 * Python's own. */
static const char *const taken[] = {
    "False",         "None",   "True",     "and",         "as",        "assert",     "async",
    "await",         "break",  "class",    "continue",    "def",       "del",        "elif",
    "else",          "except", "finally",  "for",         "from",      "global",     "if",
    "import",        "in",     "is",       "lambda",      "nonlocal",  "not",        "or",
    "pass",          "raise",  "return",   "try",         "while",     "with",       "yield",
    "BaseException", "Failed", "Fraction", "ImportError", "TypeError", "ValueError", "bool",
    "ctypes",        "dict",   "getattr",  "hashlib",     "int",       "isinstance", "keyword",
    "len",           "list",   "open",     "os",          "re",        "str",        "subprocess",
    "tempfile",      "tuple",  "zip",      "_DIGEST",     "_FOLDER",   "_INPUTS",    "_PARAMS",
    "_SOURCE",       "_entry", "_library", "_load",       "_parse",    "_text",      "__file__",
    "__all__",
};

static void put_function(struct buffer *out, const char *name) {
  cgen_public_name(out, name);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (strcmp(name, taken[i]) == 0) buffer_putc(out, '_');
}

/* Of the program that belongs to the module: another one may have other parameters. */
static void put_digest(struct buffer *out, const struct buffer *program) {
  struct sha256 h;
  char hex[SHA256_HEX + 1];
  sha256_init(&h);
  sha256_add(&h, buffer_text(program), program->len);
  sha256_hex(&h, hex);
  buffer_puts(out, hex);
}

struct hole {
  const char *name;
  struct buffer text;
};

void compile_module(struct buffer *out, const struct compile_input *input,
                    const struct buffer *program, const char *path) {
  enum { about, source, digest, params, inputs, entry, name, count };
  struct hole holes[count] = {
      {.name = "@ABOUT@"},  {.name = "@SOURCE@"}, {.name = "@DIGEST@"}, {.name = "@PARAMS@"},
      {.name = "@INPUTS@"}, {.name = "@ENTRY@"},  {.name = "@NAME@"},
  };
  const struct ast_routine *r = input->mechanism->as.mechanism.routine;
  const char *slash = strrchr(path, '/');
  put_docstring(&holes[about].text, input->about);
  cgen_string(&holes[source].text, slash ? slash + 1 : path);
  put_digest(&holes[digest].text, program);
  cgen_public_name(&holes[entry].text, input->mechanism->name.text);
  put_function(&holes[name].text, input->mechanism->name.text);
  for (size_t i = 0; i < input->module->decl_count; i++) {
    const struct ast_decl *d = input->module->decls[i];
    if (d->kind == DECL_PARAM && !reval_get_param(input->fixed, d))
      put_name(&holes[params].text, d->name.text);
  }
  for (size_t i = 0; i < r->arg_count; i++)
    put_name(&holes[inputs].text, r->args[i]->name.text);
  for (const char *s = runtime_module; *s;) {
    size_t k = 0;
    while (k < count && strncmp(s, holes[k].name, strlen(holes[k].name)) != 0)
      k++;
    if (k < count) {
      buffer_puts(out, buffer_text(&holes[k].text));
      s += strlen(holes[k].name);
    } else {
      buffer_putc(out, *s++);
    }
  }
  for (size_t k = 0; k < count; k++)
    buffer_clear(&holes[k].text);
}
