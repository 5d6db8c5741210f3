# Couplet's two README commands are `make demo` and `make test`; CMake presets do the work.
.PHONY: all build demo test test-browser test-vscode playground-editor check asan coverage fuzz bench install deb release format clean setup

PREFIX ?= /usr/local
DESTDIR ?=

all: build

setup:
	@scripts/setup.sh build

build: setup
	@[ -f build/build.ninja ] || cmake --preset release >/dev/null
	@cmake --build build
	@scripts/playground_editor.sh --once build

demo: build
	@scripts/demo.sh build/couplet

test:
	@scripts/setup.sh build test
	@scripts/test.sh

# The report in headless Chromium; `make test` runs it too where npm is installed.
test-browser: build
	@scripts/setup.sh browser
	@bash tests/scripts/browser.sh build/couplet
	@bash tests/scripts/playground.sh build/couplet

# The VS Code extension in VS Code itself (code-server from npm: 350 MB below build/).
test-vscode: build
	@scripts/setup.sh browser
	@COUPLET_TEST_NPM=1 bash tests/scripts/vscode.sh build/couplet
	@COUPLET_TEST_NPM=1 bash tests/scripts/vscode_host.sh build/couplet

# CodeMirror for `couplet serve`, from npm; the page has an editor of its own without it. The first
# `make build` tries, this does so again and says why it fails.
playground-editor: build
	@scripts/playground_editor.sh build

# The fast inner loop: release build and its tests only.
check: build
	@ctest --test-dir build --output-on-failure -j 2

asan:
	@scripts/setup.sh build test
	@cmake --preset asan >/dev/null && cmake --build build-asan
	@ctest --test-dir build-asan --output-on-failure -j 2

coverage:
	@scripts/setup.sh build test
	@cmake --preset coverage >/dev/null && cmake --build build-coverage
	@ctest --test-dir build-coverage --output-on-failure -j 2
	@scripts/coverage.sh build-coverage

fuzz:
	@scripts/setup.sh build fuzz
	@cmake --preset fuzz >/dev/null && cmake --build build-fuzz
	@scripts/fuzz.sh build-fuzz

bench: build
	@bench/run.sh

install: build
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

# Debian packages in build-deb/, tried in a root of their own.
deb:
	@scripts/setup.sh build deb
	@scripts/deb.sh

# A tarball that runs where it is unpacked, in build-release/.
release: build
	@scripts/release.sh build build-release

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build build-*
