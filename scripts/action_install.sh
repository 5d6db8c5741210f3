#!/usr/bin/env bash
# What the GitHub action runs first: fetches the release tarball, checks its sum and prints the path of
# couplet in it. Status 1: there is none, and the action builds from source.
#   scripts/action_install.sh URL
set -euo pipefail
url=$1
folder=${RUNNER_TEMP:?}/couplet-release
rm -rf "$folder"
mkdir -p "$folder"
file=$folder/$(basename "$url")
curl -fsSL -o "$file" "$url"
curl -fsSL -o "$file.sha256" "$url.sha256"
(cd "$folder" && sha256sum -c --quiet "$(basename "$file").sha256" >&2)
tar -C "$folder" -xzf "$file"
program=$(echo "$folder"/couplet-*/bin/couplet)
"$program" --version >&2 # it runs here at all
echo "$program"
