#include "lang/syntax/lex.h"

const char *greek_spelling(uint32_t code) {
  static const char *const capital[] = {
      "Alpha", "Beta",   "Gamma",   "Delta", "Eps", "Zeta",    "Eta",  "Theta", "Iota",
      "Kappa", "Lambda", "Mu",      "Nu",    "Xi",  "Omicron", "Pi",   "Rho",   NULL,
      "Sigma", "Tau",    "Upsilon", "Phi",   "Chi", "Psi",     "Omega"};
  static const char *const small[] = {
      "alpha", "beta",   "gamma",   "delta", "eps", "zeta",    "eta",  "theta", "iota",
      "kappa", "lambda", "mu",      "nu",    "xi",  "omicron", "pi",   "rho",   "sigma",
      "sigma", "tau",    "upsilon", "phi",   "chi", "psi",     "omega"};
  if (code >= 0x391 && code <= 0x3A9) return capital[code - 0x391];
  if (code >= 0x3B1 && code <= 0x3C9) return small[code - 0x3B1];
  switch (code) {
  case 0x00B5: return "mu"; /* micro sign */
  case 0x03D1: return "theta";
  case 0x03D5: return "phi";
  case 0x03F5: return "eps";
  case 0x2126: return "Omega"; /* ohm sign */
  default: return NULL;
  }
}

enum token_kind unicode_symbol(uint32_t code) {
  switch (code) {
  case 0x2264: return TOKEN_LE;
  case 0x2265: return TOKEN_GE;
  case 0x2260: return TOKEN_NE;
  case 0x2227: return TOKEN_AND;
  case 0x2228: return TOKEN_OR;
  case 0x00AC: return TOKEN_NOT;
  case 0x2192: return TOKEN_ARROW;
  case 0x2194: return TOKEN_IFF;
  case 0x2200: return TOKEN_FORALL;
  case 0x2203: return TOKEN_EXISTS;
  case 0x2208: return TOKEN_IN;
  case 0x2190: return TOKEN_ASSIGN; /* before a `$`: TOKEN_SAMPLE */
  case 0x00D7: return TOKEN_STAR;
  default: return TOKEN_END;
  }
}

static const struct confusable confusables[] = {
    {0x2212, "a typographic minus sign", "-", TOKEN_MINUS},
    {0x2010, "a hyphen", "-", TOKEN_MINUS},
    {0x2011, "a non-breaking hyphen", "-", TOKEN_MINUS},
    {0x2013, "an en dash", "-", TOKEN_MINUS},
    {0x2014, "an em dash", "-", TOKEN_MINUS},
    {0x00B7, "a middle dot", "*", TOKEN_STAR},
    {0x22C5, "a dot operator", "*", TOKEN_STAR},
    {0x2217, "an asterisk operator", "*", TOKEN_STAR},
    {0x00F7, "a division sign", "/", TOKEN_SLASH},
    {0x2044, "a fraction slash", "/", TOKEN_SLASH},
    {0x2215, "a division slash", "/", TOKEN_SLASH},
    {0x2A7D, "a slanted less-or-equal sign", "<=", TOKEN_LE},
    {0x2A7E, "a slanted greater-or-equal sign", ">=", TOKEN_GE},
    {0x2254, "a colon-equals sign", ":=", TOKEN_ASSIGN},
    {0x21D0, "a double arrow", ":=", TOKEN_ASSIGN},
    {0x21D2, "a double arrow", "->", TOKEN_ARROW},
    {0x21D4, "a double arrow", "<->", TOKEN_IFF},
    {0x27F6, "a long arrow", "->", TOKEN_ARROW},
    {0x223C, "a tilde operator", "<$", TOKEN_SAMPLE},
    {0x2026, "an ellipsis", "..", TOKEN_DOTDOT},
    {0x201C, "a typographic quotation mark", "\"", TOKEN_END},
    {0x201D, "a typographic quotation mark", "\"", TOKEN_END},
    {0x2018, "a typographic quotation mark", "'", TOKEN_END},
    {0x2019, "a typographic quotation mark", "'", TOKEN_END},
    {0x2032, "a prime sign", "'", TOKEN_END},
    {0xFF08, "a full-width parenthesis", "(", TOKEN_LPAREN},
    {0xFF09, "a full-width parenthesis", ")", TOKEN_RPAREN},
    {0xFF0C, "a full-width comma", ",", TOKEN_COMMA},
    {0xFF1A, "a full-width colon", ":", TOKEN_COLON},
    {0xFF1B, "a full-width semicolon", ";", TOKEN_SEMICOLON},
    {0x037E, "a Greek question mark", ";", TOKEN_SEMICOLON},
    {0x00A0, "a non-breaking space", NULL, TOKEN_END},
    {0x2003, "a wide space", NULL, TOKEN_END},
    {0x2009, "a thin space", NULL, TOKEN_END},
    {0x202F, "a narrow non-breaking space", NULL, TOKEN_END},
    {0x3000, "an ideographic space", NULL, TOKEN_END},
    {0x200B, "an invisible zero-width space", NULL, TOKEN_END},
    {0xFEFF, "a byte order mark in the middle of the file", NULL, TOKEN_END},
    {0x2028, "a Unicode line separator", NULL, TOKEN_END},
    {0x00B2, "a superscript", "^2", TOKEN_END},
    {0x00B3, "a superscript", "^3", TOKEN_END},
    {0x221A, "a root sign", "sqrt(...)", TOKEN_END},
    {0x2115, "a blackboard letter", "int", TOKEN_END},
    {0x2124, "a blackboard letter", "int", TOKEN_END},
    {0x211D, "a blackboard letter", "real", TOKEN_END},
    {0x0430, "a Cyrillic letter", "a", TOKEN_END},
    {0x0435, "a Cyrillic letter", "e", TOKEN_END},
    {0x043E, "a Cyrillic letter", "o", TOKEN_END},
    {0x0440, "a Cyrillic letter", "p", TOKEN_END},
    {0x0441, "a Cyrillic letter", "c", TOKEN_END},
    {0x0445, "a Cyrillic letter", "x", TOKEN_END},
    {0x0456, "a Cyrillic letter", "i", TOKEN_END},
};

const struct confusable *unicode_confusable(uint32_t code) {
  for (size_t i = 0; i < sizeof confusables / sizeof *confusables; i++)
    if (confusables[i].code == code) return &confusables[i];
  return NULL;
}
