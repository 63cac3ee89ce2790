# sprung: build, test, install. GNU make.
#
#   make                the program: build/sprung, its man page and completions
#   make deps demo      install what it takes to build (Debian), build, filter a sample
#   make deps-check check   install what it takes to test as well, run every test
#   make install PREFIX=/usr/local DESTDIR=      make uninstall      make clean
#   make refs           remake the reference values of the tests and compare
#   make inject         every fault of the system, one at a time
#   make proof          the long proof of the number module against the C library

CC         ?= cc
CFLAGS     ?= -O2 -g
CPPFLAGS   ?=
LDFLAGS    ?=
PREFIX     ?= /usr/local
DESTDIR    ?=
PKG_CONFIG ?= pkg-config
BUILD      ?= build
VERSION    := 1.0.0

WARN := -Wall -Wextra -Wconversion -Wshadow -Werror
STD  := -std=c17 -D_GNU_SOURCE -ffp-contract=off -fno-math-errno -DSPRUNG_VERSION='"$(VERSION)"'
PKGS := sndfile libcjson
INCS  = $(shell $(PKG_CONFIG) --cflags $(PKGS))
LIBS  = $(shell $(PKG_CONFIG) --libs $(PKGS)) -lm -pthread
COMPILE = $(CC) $(STD) $(WARN) $(INCS) $(CPPFLAGS) $(CFLAGS) -MMD -MP

SRC  := $(wildcard src/*.c src/*/*.c)
OBJ  := $(SRC:src/%.c=$(BUILD)/%.o)
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
SHELLS := bash zsh fish

all: $(BUILD)/sprung $(BUILD)/sprung.1 $(SHELLS:%=$(BUILD)/completion.%)

$(BUILD)/sprung: $(OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJ) $(LIBS)

$(BUILD)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

$(BUILD)/unit/%: tests/unit/%.c $(filter-out $(BUILD)/main.o,$(OBJ)) Makefile
	@mkdir -p $(@D)
	$(COMPILE) -Isrc $(LDFLAGS) -o $@ $< $(filter-out $(BUILD)/main.o,$(OBJ)) -lcmocka $(LIBS)

-include $(OBJ:.o=.d) $(UNIT:=.d)

# The man page and the completions come from the same tables as the options themselves.
$(BUILD)/sprung.1: man/sprung.1.in $(BUILD)/sprung
	$(BUILD)/sprung help --format man < $< > $@.tmp
	mv $@.tmp $@

$(BUILD)/completion.%: $(BUILD)/sprung
	$(BUILD)/sprung help --format $* > $@.tmp
	mv $@.tmp $@

# --- packages ----------------------------------------------------------------------------------------------------
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
APT   = $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends

deps:
	$(APT) gcc libc6-dev pkg-config libsndfile1-dev libcjson-dev

deps-check: deps
	$(APT) clang libclang-rt-14-dev libcmocka-dev bats mandoc python3 python3-mpmath strace locales bash git procps \
	       tmux parallel acl attr util-linux

# --- what a new user does first --------------------------------------------------------------------------------------
demo: all
	@echo; echo '$$ head -n 4 data/wave.csv'; head -n 4 data/wave.csv
	@echo; echo '$$ sprung critical --halflife 0.1 data/wave.csv | head -n 4'
	@$(BUILD)/sprung critical --halflife 0.1 data/wave.csv | head -n 4

# --- tests -----------------------------------------------------------------------------------------------------------
unit: $(UNIT)

check:
	tests/run

refs:
	tests/ref/check

# Every fault of tests/inject; check tries some.
inject: $(BUILD)/sprung
	$(CC) -shared -fPIC -O2 -o $(BUILD)/preload.so tests/preload.c -ldl
	tests/inject $(BUILD)/sprung $(BUILD)/preload.so

proof: $(BUILD)/number_proof
	$(BUILD)/number_proof

$(BUILD)/number_proof: tests/unit/number_proof.c $(filter-out $(BUILD)/main.o,$(OBJ))
	$(COMPILE) -Isrc $(LDFLAGS) -o $@ $< $(filter-out $(BUILD)/main.o,$(OBJ)) $(LIBS)

format:
	clang-format -i $(SRC) $(wildcard src/*.h src/*/*.h tests/unit/*.[ch] tests/fuzz/*.c)

# --- installing ------------------------------------------------------------------------------------------------------
BIN  = $(DESTDIR)$(PREFIX)/bin/sprung
MAN  = $(DESTDIR)$(PREFIX)/share/man/man1/sprung.1
BASH = $(DESTDIR)$(PREFIX)/share/bash-completion/completions/sprung
ZSH  = $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_sprung
FISH = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/sprung.fish

install: all
	install -D -m 755 $(BUILD)/sprung $(BIN)
	install -D -m 644 $(BUILD)/sprung.1 $(MAN)
	install -D -m 644 $(BUILD)/completion.bash $(BASH)
	install -D -m 644 $(BUILD)/completion.zsh $(ZSH)
	install -D -m 644 $(BUILD)/completion.fish $(FISH)

uninstall:
	rm -f $(BIN) $(MAN) $(BASH) $(ZSH) $(FISH)

clean:
	rm -rf build

.PHONY: all deps deps-check demo unit check refs inject proof format install uninstall clean
.DELETE_ON_ERROR:
