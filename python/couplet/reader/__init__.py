"""Reads Python functions (and other checkers' C files) and writes them in the language of Couplet."""
