#!/usr/bin/env bash
# Results are recalled when nothing that matters has changed, and only then; what is damaged, undecided
# or asked for in another way is judged anew.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
export COUPLET_CACHE=$dir/deep/er/cache
mkdir "$dir/src"
cp examples/proofs/laplace.dp "$dir/src/part.dp"
sed -n '/^claim/,$d; p' examples/proofs/laplace.dp > "$dir/src/part.dp"
printf 'include "part.dp";\n\nclaim private laplace epsilon eps proof {\n  sample a: shift 0;\n}\n' > "$dir/src/main.dp"
main=$dir/src/main.dp

recalled() { # recalled COMMAND...: does the answer come from the cache?
  set +e; "$@" --json > "$dir/out.json" 2> "$dir/err"; status=$?; set -e
  grep -q '"cached": true' "$dir/out.json"
}
verify() { recalled "$couplet" verify "$main" "$@"; }

verify && fail "recalled out of nothing"
[ "$status" = 0 ] || { cat "$dir/out.json" "$dir/err"; fail "not proved"; }
without_mark() { python3 -c 'import json, sys; d = json.load(sys.stdin); d["files"][0].pop("cached", None); print(json.dumps(d, indent=1))' < "$dir/out.json"; }
without_mark > "$dir/first.json"
verify || fail "not recalled"
[ "$status" = 0 ] || fail "another status from the cache"
without_mark | cmp - "$dir/first.json" || fail "another record from the cache"
"$couplet" verify "$main" | grep >/dev/null 'from the cache' || fail "the text does not say where it comes from"
"$couplet" verify --no-times "$main" > "$dir/recalled"
"$couplet" verify --no-times --no-cache "$main" | cmp - "$dir/recalled" || fail "--no-times: another text from the cache"
verify --no-cache && fail "recalled in spite of --no-cache"
COUPLET_CACHE=off verify && fail "recalled in spite of COUPLET_CACHE=off"
verify --search 3 && fail "recalled for other options"
(cd "$dir/src" && recalled "$couplet" verify main.dp) && fail "recalled for another path"
recalled "$couplet" verify "$main" --certificate "$dir/cert" && fail "a certificate out of the cache"
[ -s "$dir/cert" ] || fail "no certificate"
recalled "$couplet" verify "$main" --dump-smt "$dir/smt" && fail "recalled instead of dumped"

# What is read counts, also what is included.
echo "// a comment" >> "$dir/src/part.dp"
verify && fail "recalled after a change of an included file"
verify || fail "not recalled"
sed -i 's/epsilon eps/epsilon eps\/2/' "$main"
verify && fail "recalled after a change"
[ "$status" = 10 ] || fail "status $status for a false claim"
verify || fail "a refutation was not recalled"
[ "$status" = 10 ] || fail "status $status for a false claim from the cache"

# Undecided claims are not kept.
printf 'param eps : real, eps > 0;\nmechanism m(private q : real) returns real adjacent within(q, 1) {\n  a <$ Lap(q, 1/eps);\n  return a;\n}\nclaim private m epsilon eps proof {\n  sample a: shift 1;\n}\n' > "$main"
verify && fail "recalled"
[ "$status" = 20 ] || fail "status $status for a proof that is none"
verify && fail "an undecided claim was recalled"

# A damaged entry is no entry; nor is one under another name, or a folder that cannot be written.
cp examples/proofs/laplace.dp "$main"
verify && fail "recalled"
entry=$(ls -t "$COUPLET_CACHE"/*.json | head -n 1)
sed -i 's/proved/refutd/' "$entry"
verify && fail "a damaged entry was used"
verify || fail "the damaged entry was not replaced"
truncate -s 100 "$entry"
verify && fail "half an entry was used"
[ "$status" = 0 ] || fail "status $status after a damaged entry"
for other in "$COUPLET_CACHE"/*.json; do [ "$other" = "$entry" ] || cp "$other" "$entry"; done
verify && fail "an entry under another name was used"
COUPLET_CACHE=/proc/nowhere verify && fail "recalled from nowhere"
[ "$status" = 0 ] && [ ! -s "$dir/err" ] || fail "a folder that cannot be written matters: $(cat "$dir/err")"

# An entry is believed for its certificates: a sealed one with another verdict, or without evidence, is no entry.
forge() { # forge PYTHON: changes the record and the certificates of the entry, and seals it again
  python3 - "$entry" "$1" <<'END'
import hashlib, json, os, struct, sys
path, change = sys.argv[1:]
entry = json.load(open(path))
record, certificates = json.loads(entry["record"]), json.loads(entry["certificates"])
exec(change)
key = os.path.basename(path)[:-len(".json")]
texts = [key, json.dumps(record), json.dumps(certificates)]
h = hashlib.sha256()
for t in texts:
    t = t.encode()
    h.update(struct.pack(">Q", len(t)) + t)
fd = os.open(path, os.O_WRONLY | os.O_TRUNC)
os.write(fd, json.dumps({"record": texts[1], "certificates": texts[2], "seal": h.hexdigest()}).encode())
END
}
cp examples/proofs/laplace.dp "$main"
verify || verify || fail "not recalled"
entry=$(ls -t "$COUPLET_CACHE"/*.json | head -n 1)
forge 'pass'
verify || fail "the test does not know how entries are sealed"
for change in 'certificates[0]["refutations"].pop()' 'certificates.pop()' 'record["claims"][0]["verdict"] = "refuted"'; do
  rm "$entry"; verify && fail "recalled"
  forge "$change"
  verify && fail "believed after: $change"
  [ "$status" = 0 ] || fail "status $status after: $change"
done

# Each certificate belongs to one claim of the source, which the record does not restate.
printf 'param eps : real, eps > 0;\nmechanism m(private q : real) returns real adjacent within(q, 1) {\n  a <$ Lap(q, 1/eps);\n  return a;\n}\nclaim right: private m epsilon eps;\nclaim wrong: private m epsilon eps/2;\nclaim least: private m epsilon ?;\n' > "$main"
verify && fail "recalled"
verify || fail "not recalled"
entry=$(ls -t "$COUPLET_CACHE"/*.json | head -n 1)
exchange='c = record["claims"]; c[0]["verdict"], c[1]["verdict"] = c[1]["verdict"], c[0]["verdict"]; '
exchange+='certificates[0], certificates[1] = certificates[1], certificates[0]'
for change in "$exchange" 'record["claims"][0]["epsilon"] = "eps/2"' 'record["claims"][0]["name"] = "wrong"' \
  'record["claims"][0]["notion"] = "zcdp"' 'record["claims"][2]["cost"] = "eps/2"' 'record["claims"].reverse(); certificates.reverse()'; do
  rm "$entry"; verify && fail "recalled"
  forge "$change"
  verify && fail "believed after: $change"
  [ "$status" = 10 ] || fail "status $status after: $change"
done

# A folder that others can write, or replace, is not used; nor is an entry that is not ours alone.
cp examples/proofs/laplace.dp "$main"
verify || verify || fail "not recalled"
chmod g+w "$COUPLET_CACHE"
verify && fail "recalled from a folder that others can write"
chmod 700 "$COUPLET_CACHE"
verify || fail "not recalled"
chmod o+w "$dir/deep/er"
verify && fail "recalled from a folder that others can replace"
chmod 700 "$dir/deep/er"
chmod g+w "$COUPLET_CACHE"/*.json
verify && fail "an entry that others can write was used"
verify || fail "such an entry was not replaced"
entry=$(ls -t "$COUPLET_CACHE"/*.json | head -n 1)
mv "$entry" "$dir/entry" && ln -s "$dir/entry" "$entry"
verify && fail "an entry behind a link was used"
rm -f "$entry"

# The folder does not grow without end.
for i in $(seq 5000); do printf '%064x.json\n' "$i"; done | (cd "$COUPLET_CACHE" && xargs touch)
echo "// more" >> "$main"
verify && fail "recalled"
[ "$(ls "$COUPLET_CACHE" | wc -l)" -lt 4096 ] || fail "the cache is never pruned"
verify || fail "the newest entry was pruned"
echo "cache: fine"
