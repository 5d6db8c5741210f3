/* ---- a run: failures and memory --------------------------------------------------------------
 *
 * Nothing is global. A struct cp is one caller's state: memory that lives until the run ends, random
 * words that were read and not used yet, and where to go when something is wrong. A run that fails
 * has no output at all. */

#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"

struct cp_chunk {
  struct cp_chunk *next;
  size_t used, size;
  max_align_t data[];
};

enum { CP_WORDS = 64 }; /* 256 bytes: getrandom gives them whole */

struct cp {
  jmp_buf failed;
  char why[160];
  struct cp_chunk *chunks;
  uint32_t words[CP_WORDS]; /* words[next..] are unused */
  size_t next;
  uint32_t pool; /* its pool_bits low bits are unused */
  unsigned pool_bits;
  uint64_t bits; /* random bits that this run has used: its work, see docs/compile.md */
  struct cp_seq *emitted;
};

static _Noreturn void cp_fail(struct cp *c, const char *where, const char *what) {
  snprintf(c->why, sizeof c->why, "%s%s%s", where, *where ? ": " : "", what);
  longjmp(c->failed, 1);
}

static void *cp_alloc(struct cp *c, size_t count, size_t size) {
  enum { unit = sizeof(max_align_t), usual = 1 << 16 };
  if (size && count > (SIZE_MAX / 2) / size) cp_fail(c, "", "out of memory");
  size_t bytes = (count * size + unit - 1) / unit * unit;
  if (!c->chunks || c->chunks->size - c->chunks->used < bytes) {
    size_t room = bytes > usual ? bytes : usual;
    struct cp_chunk *chunk = malloc(sizeof *chunk + room);
    if (!chunk) cp_fail(c, "", "out of memory");
    *chunk = (struct cp_chunk){.next = c->chunks, .size = room};
    c->chunks = chunk;
  }
  void *result = (char *)c->chunks->data + c->chunks->used;
  c->chunks->used += bytes;
  return result;
}

/* What a run computed is as secret as its input: it is wiped before it is given back. */
static void cp_wipe(void *memory, size_t size) {
  memset(memory, 0, size);
  __asm__ volatile("" : : "r"(memory) : "memory"); /* it is not left out */
}

/* Frees what was allocated since then. */
static void cp_free_since(struct cp *c, struct cp_chunk *last, size_t used) {
  while (c->chunks != last) {
    struct cp_chunk *chunk = c->chunks;
    c->chunks = chunk->next;
    cp_wipe(chunk->data, chunk->used);
    free(chunk);
  }
  if (!last) return;
  cp_wipe((char *)last->data + used, last->used - used);
  last->used = used;
}

static void cp_free_all(struct cp *c) {
  cp_free_since(c, NULL, 0);
}

static void cp_open(struct cp *c) {
  memset(c, 0, sizeof *c);
  c->next = CP_WORDS;
}

static void cp_close(struct cp *c) {
  cp_free_all(c);
  cp_wipe(c, sizeof *c);
}
