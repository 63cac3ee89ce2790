# sprung: build, test, install. GNU make.
#
#   make                the program: build/sprung, and its manual pages
#   make deps demo      install what it takes to build (Debian), build, filter a sample
#   make deps-check check   install what it takes to test as well, run every test
#   make fresh          both in a bare root that mmdebstrap makes
#   make install PREFIX=/usr/local DESTDIR=      make uninstall      make clean
#   make deps-static static    one file without shared libraries: build/static/sprung; ARCH=aarch64: for another machine
#   make deps-windows windows    build/windows/sprung.exe, by mingw-w64
#   make deps-release release    the files of a release, in build/release; tests/release makes and tries them
#   make dist           a tarball of the source; make deb: the Debian packages sprung and libsprung-dev
#   make pictures       draw the README's pictures anew (takes gnuplot-nox)
#   make refs           remake the reference values of the tests and compare
#   make inject         every fault of the system, one at a time
#   make properties     random command lines and laws that need no reference: SEED=1 N=2000
#   make library        libsprung for other programs; make install and make deb take it along, install-library and deb-dev alone
#   make fuzz           every fuzzing harness, FUZZ_SECONDS each; make fuzz-keep keeps the inputs that reach new code
#   make deps-bench bench    install the programs that do what sprung does, and race them
#   make bench-scale    how time and memory grow with rows and columns
#   make accuracy       errors of recorded motions against the truth, as a table
#   make budget         count the instructions for a row, and compare; make budget-update keeps the counts
#   make format         lay out all C as .clang-format says

CC         ?= cc
CFLAGS     ?= -O2 -g
CPPFLAGS   ?=
LDFLAGS    ?=
PREFIX     ?= /usr/local
DESTDIR    ?=
PKG_CONFIG ?= pkg-config
BUILD      ?= build
AWK        ?= awk

# The newest release of the change log: "## [4.0.0] - 2026-11-29".
RELEASE  := $(shell sed -n 's/^\#\# \[\([0-9][0-9.]*\)\] - \([0-9-]*\)$$/\1 \2/p' CHANGELOG.md | head -n 1)
VERSION  := $(firstword $(RELEASE))
RELEASED  = $(shell LC_ALL=C date -u -R -d '$(lastword $(RELEASE)) 00:00')

# The tests build with WERROR=-Werror.
WERROR ?=
WARN := -Wall -Wextra -Wconversion -Wshadow
PKGS := sndfile libcjson zlib
STD  := -std=c17 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -ffp-contract=off -fno-math-errno -DSPRUNG_VERSION='"$(VERSION)"'
INCS  = $(shell $(PKG_CONFIG) --cflags $(PKGS))
LIBS  = $(shell $(PKG_CONFIG) --libs $(PKGS)) -lm -pthread
COMPILE = $(CC) $(STD) $(WARN) $(WERROR) -Isrc $(INCS) $(CPPFLAGS) $(CFLAGS) -MMD -MP
# src asks for POSIX alone, but for base/port_posix.c; tests run on Linux and may use what it has.
COMPILE_TEST = $(COMPILE) -D_GNU_SOURCE -Itests

SRC  := $(shell find src -name "*.c" | LC_ALL=C sort)
OBJ  := $(filter-out $(BUILD)/library/%,$(SRC:src/%.c=$(BUILD)/%.o)) $(BUILD)/topics.o
FUZZ := $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/*/test_*.c))
BENCH := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*.c))

# The manual pages that are made of frames and the program's own tables.
PAGES  := sprung.1 sprung-filters.7 sprung-formats.5 sprung-cookbook.7
FRAMES := $(PAGES:%=man/%.in)

all: $(BUILD)/sprung $(PAGES:%=$(BUILD)/%)

# What is compiled with other commands than now is out of date: this file holds them, and is newer when they differ.
COMMANDS = $(COMPILE) $(LDFLAGS) $(LIBS)
$(BUILD)/commands: always
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(COMMANDS))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(COMMANDS))' > $@

$(BUILD)/sprung$(EXE): $(OBJ) $(BUILD)/commands
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJ) $(LIBS)

$(BUILD)/%.o: src/%.c $(BUILD)/commands
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

# All that is compiled, unlinked.
objects: $(OBJ)

# The texts of help on a topic are sections of the manual pages.
$(BUILD)/topics.c: man/topics.awk $(FRAMES)
	@mkdir -p $(@D)
	LC_ALL=C $(AWK) -f man/topics.awk $(FRAMES) > $@.tmp
	mv $@.tmp $@

$(BUILD)/topics.o: $(BUILD)/topics.c $(BUILD)/commands
	$(COMPILE) -c -o $@ $<

# Everything but main(), for the programs that test it.
$(BUILD)/libsprung.a: $(filter-out $(BUILD)/main.o,$(OBJ))
	rm -f $@
	$(AR) rcs $@ $^

# --- the library -------------------------------------------------------------------------------------------------
# What games, Blender and Python link: src/sprung.h. It needs libm alone, and exports what the header declares.
SONAME  := libsprung.so.$(firstword $(subst ., ,$(VERSION)))
LIBSRC  := $(patsubst %,src/base/%.c,array error param pool require suggest text utf8) \
           src/rows/block.c src/rows/unit_kinds.c \
           $(wildcard $(addprefix src/,$(addsuffix /*.c,number springs springs/rotations whole/noise whole series library)))
LIBOBJ  := $(LIBSRC:src/%.c=$(BUILD)/lib/%.o)
EXPORTS  = $(filter-out sprung_status,$(shell grep -o 'sprung_[a-z_]*' src/sprung.h | LC_ALL=C sort -u))
LD      ?= ld
OBJCOPY ?= objcopy

library: $(BUILD)/lib/libsprung.a $(BUILD)/lib/$(SONAME)

$(BUILD)/lib/%.o: src/%.c $(BUILD)/commands
	@mkdir -p $(@D)
	$(COMPILE) -fPIC -ffunction-sections -fdata-sections -c -o $@ $<

# One object, in which all other names are local.
$(BUILD)/lib/libsprung.a: $(LIBOBJ)
	$(CC) -r -nostdlib -Wl,--gc-sections $(EXPORTS:%=-Wl,-u,%) -o $(@D)/sprung.o $(LIBOBJ)
	$(OBJCOPY) --wildcard --keep-global-symbol='sprung_*' --strip-unneeded $(@D)/sprung.o
	rm -f $@
	$(AR) rcs $@ $(@D)/sprung.o

$(BUILD)/lib/$(SONAME): $(LIBOBJ)
	printf '{ global: sprung_*; local: *; };\n' > $(@D)/exports
	$(CC) -shared -Wl,-soname,$(SONAME) -Wl,--gc-sections -Wl,--version-script=$(@D)/exports $(LDFLAGS) -o $@ $(LIBOBJ) -lm
	ln -sf $(SONAME) $(@D)/libsprung.so

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libsprung.a $(BUILD)/commands
	@mkdir -p $(@D)
	$(COMPILE_TEST) $(LDFLAGS) -o $@ $< $(BUILD)/libsprung.a -lcmocka $(LIBS)

# A harness may bring its own source_read, which then counts.
$(BUILD)/fuzz_%: tests/fuzz/fuzz_%.c $(BUILD)/libsprung.a $(BUILD)/commands
	$(COMPILE_TEST) -fsanitize=fuzzer -Wl,--allow-multiple-definition $(LDFLAGS) -o $@ $< $(BUILD)/libsprung.a $(LIBS)

-include $(BUILD)/table.d $(OBJ:.o=.d) $(LIBOBJ:.o=.d) $(UNIT:=.d) $(FUZZ:=.d) $(BENCH:=.d)

# The manual pages come from the same tables as the options themselves.
$(BUILD)/table: man/table.c $(BUILD)/libsprung.a $(BUILD)/commands
	$(COMPILE) $(LDFLAGS) -o $@ $< $(BUILD)/libsprung.a $(LIBS)

$(BUILD)/options.tsv: $(BUILD)/table
	$(BUILD)/table > $@.tmp
	mv $@.tmp $@

$(BUILD)/%: man/%.in man/page.awk $(BUILD)/options.tsv
	LC_ALL=C $(AWK) -f man/page.awk $(BUILD)/options.tsv $< > $@.tmp
	mv $@.tmp $@

# --- packages ----------------------------------------------------------------------------------------------------
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
APT   = $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends

deps:
	$(APT) gcc libc6-dev pkg-config libsndfile1-dev libcjson-dev zlib1g-dev

deps-check: deps
	$(APT) clang libclang-rt-14-dev libcmocka-dev bats mandoc gnuplot-nox python3 python3-mpmath python3-gmpy2 libxml2-utils strace locales bash zsh fish \
	       mawk gawk busybox original-awk git procps tmux parallel lintian util-linux bsdutils libc-bin sox ffmpeg valgrind binutils \
	       musl-tools assimp-utils

# What make bench runs sprung beside; it skips what is not there.
deps-bench: deps
	$(APT) mawk gawk miller jq gojq nodejs python3 python3-numpy python3-scipy python3-pandas r-base-core r-cran-data.table \
	       sox ffmpeg coreutils findutils

# --- one file for any Linux ----------------------------------------------------------------------------------------------
# Linked with glibc, whose functions are those of the ordinary build: the same numbers and the same speed. (Debian has musl
# for its own machine alone.) The file needs neither name service nor locale, the parts of glibc that stay shared.
ARCH   ?= $(shell uname -m)
FOREIGN := $(if $(filter $(ARCH),$(shell uname -m)),,gcc-$(subst _,-,$(ARCH))-linux-gnu libc6-dev-$(subst x86_64,amd64,$(subst aarch64,arm64,$(ARCH)))-cross)
# The libraries of .ci/sources, in the order of the linker.
BUILT   := -lsndfile -lvorbisenc -lvorbis -lFLAC -logg -lopus -lcjson -lz -lm -pthread
INSIDE   = INCS=-Ibuild/$(1)/root/include LIBS='-Lbuild/$(1)/root/lib $(BUILT)' BUILD=build/$(1)

# What builds the libraries.
BUILDERS := make cmake dpkg-dev patch xz-utils bzip2 pkg-config

deps-static:
	$(APT) gcc libc6-dev $(BUILDERS) $(FOREIGN)
	.ci/libraries fetch

static:
	.ci/libraries build $(ARCH)
	$(MAKE) $(call INSIDE,$(ARCH)) CC=$(ARCH)-linux-gnu-gcc CFLAGS=-O2 LDFLAGS=-static build/$(ARCH)/sprung
	mkdir -p build/static/licences
	$(ARCH)-linux-gnu-strip -o build/static/sprung-$(ARCH) build/$(ARCH)/sprung
	cp build/static/sprung-$(ARCH) build/static/sprung
	cp build/$(ARCH)/root/licences/*.txt build/static/licences
	cp LICENSE build/static/licences/sprung.txt

# --- Windows --------------------------------------------------------------------------------------------------------------
# One .exe that needs no other file but those of Windows. The C library there has a printf of its own; mingw-w64 brings one
# that knows %zu, which its compiler does not check. Its isnan() makes -Wfloat-conversion warn of every double.
MINGW := x86_64-w64-mingw32-

deps-windows:
	$(APT) gcc-mingw-w64-x86-64-win32 $(BUILDERS)
	.ci/libraries fetch

windows:
	.ci/libraries build windows
	$(MINGW)windres -o build/windows/manifest.o src/windows.rc
	$(MAKE) $(call INSIDE,windows) EXE=.exe CC=$(MINGW)gcc CPPFLAGS=-D__USE_MINGW_ANSI_STDIO=1 \
	    CFLAGS='-O2 -Wno-format -Wno-float-conversion' LDFLAGS='-static -s -Wl,--no-insert-timestamp build/windows/manifest.o' \
	    build/windows/sprung.exe
	mkdir -p build/windows/licences
	cp build/windows/root/licences/*.txt build/windows/licences
	cp LICENSE build/windows/licences/sprung.txt

# --- a release -----------------------------------------------------------------------------------------------------------
# The source, one file for each kind of Linux, a zip for Windows, the Debian package, the licences of the libraries inside, and
# SHA256SUMS. Every date is that of the release, so the bytes are the same each time.
OFFERED := build/release
TARGETS := aarch64 x86_64 windows
ZIPPED  := $(OFFERED)/zip

deps-release: deps deps-windows
	$(MAKE) deps-static ARCH=aarch64
	$(MAKE) deps-static ARCH=x86_64
	$(APT) zip

# Two libraries are built at once: their configure scripts use one processor each.
release:
	rm -rf $(OFFERED)
	mkdir -p $(ZIPPED)/licences
	printf '%s\n' $(TARGETS) | xargs -n 1 -P 2 .ci/libraries build
	$(MAKE) static ARCH=aarch64
	$(MAKE) static ARCH=x86_64
	$(MAKE) windows
	$(MAKE) BUILD=build/package CC=gcc CFLAGS=-O2 DEB=$(OFFERED)/sprung_$(VERSION)_$(DEB_ARCH).deb deb-program
	$(MAKE) dist DIST=$(OFFERED)/sprung-$(VERSION).tar.gz
	cp build/static/sprung-x86_64 $(OFFERED)/sprung-linux-x86_64
	cp build/static/sprung-aarch64 $(OFFERED)/sprung-linux-aarch64
	cp build/windows/sprung.exe README.md $(ZIPPED)
	cp build/windows/licences/*.txt $(ZIPPED)/licences
	find $(ZIPPED) -type f -exec chmod 644 {} + -exec touch -d '$(RELEASED)' {} +
	cd $(ZIPPED) && find * -type f | LC_ALL=C sort | TZ=UTC zip -q -9 -X -@ ../sprung-windows-x86_64.zip
	for text in build/static/licences/*.txt; do \
	    printf -- '--- %s ---\n\n' $$(basename $$text .txt) && cat $$text && echo || exit 1; \
	done > $(OFFERED)/licences.txt
	rm -r $(ZIPPED)
	cd $(OFFERED) && LC_ALL=C && sha256sum * > SHA256SUMS
	@ls -l $(OFFERED)

# --- what a new user does first --------------------------------------------------------------------------------------
demo: all
	@echo; echo '$$ head -n 4 data/wave.csv'; head -n 4 data/wave.csv
	@echo; echo '$$ sprung critical --halflife 0.1 --columns x,y data/wave.csv | head -n 4'
	@$(BUILD)/sprung critical --halflife 0.1 --columns x,y data/wave.csv | head -n 4

# --- tests -----------------------------------------------------------------------------------------------------------
unit: $(UNIT)

check:
	tests/run

# Both commands of the README in a bare root; takes root and mmdebstrap.
fresh:
	tests/fresh

refs:
	tests/ref/check

# Every fault of tests/inject; check tries some.
inject: $(BUILD)/sprung
	$(CC) -shared -fPIC -O2 -o $(BUILD)/preload.so tests/cases/tools/preload.c -ldl
	tests/inject $(BUILD)/sprung $(BUILD)/preload.so

# The same draws for the same seed; check makes those of seed 1.
properties: $(BUILD)/sprung
	tests/properties $(BUILD)/sprung $(or $(SEED),1) $(or $(N),2000)

# Fuzzing takes clang. Each harness runs for FUZZ_SECONDS on its kept inputs; what it finds is left in build/fuzz. The kept
# inputs of a harness are one archive; make fuzz-keep adds to each archive the inputs of the last run that reach new code.
FUZZ_SECONDS ?= 1200
FUZZ_FLAGS   := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
fuzzers: $(FUZZ)

fuzz:
	$(MAKE) BUILD=build/fuzz CC=clang CFLAGS="$(FUZZ_FLAGS)" LDFLAGS="-fsanitize=address,undefined" fuzzers
	tests/fuzz/run $(FUZZ_SECONDS)

fuzz-keep:
	for name in $(FUZZ:$(BUILD)/fuzz_%=%); do \
	    [ ! -d build/fuzz/corpus/$$name ] || { $(MAKE) -s BUILD=build/fuzz build/fuzz/kept/$$name \
	    && build/fuzz/fuzz_$$name -merge=1 build/fuzz/kept/$$name build/fuzz/corpus/$$name 2> build/fuzz/merge.log \
	    && tests/fuzz/keep $$name build/fuzz/kept/$$name; } || exit 1; \
	done

$(BUILD)/kept/%: tests/fuzz/corpus/%.tar.gz
	rm -rf $@
	mkdir -p $@
	tar -C $@ -xzf $<
	touch $@

# --- benchmark: sprung beside its peers, BENCH_RUNS turns each -----------------------------------------------------------
bench: $(BUILD)/sprung $(BENCH)
	BUILD=$(BUILD) tests/bench/run
	BUILD=$(BUILD) tests/bench/recorded

bench-scale: $(BUILD)/sprung $(BENCH)
	BUILD=$(BUILD) tests/bench/scale

accuracy: $(BUILD)/sprung
	@SPRUNG=$(BUILD)/sprung tests/ref/accuracy

# Instructions for a row, counted and compared with what is kept in tests/bench/budget; with gcc and the CFLAGS above.
budget: $(BUILD)/sprung $(BUILD)/bench/generate
	BUILD=$(BUILD) tests/bench/count

budget-update: $(BUILD)/sprung $(BUILD)/bench/generate
	BUILD=$(BUILD) tests/bench/count --update

$(BUILD)/bench/library: tests/bench/library.c $(BUILD)/lib/libsprung.a
	@mkdir -p $(@D)
	$(COMPILE_TEST) $(LDFLAGS) -o $@ $< $(BUILD)/lib/libsprung.a -lm

$(BUILD)/bench/%: tests/bench/%.c $(BUILD)/commands
	@mkdir -p $(@D)
	$(COMPILE_TEST) $(LDFLAGS) -o $@ $< $(LIBS)

format:
	clang-format -i $(SRC) $(wildcard $(shell find src -name "*.h") tests/unit/*.h tests/unit/*/*.[ch] tests/fuzz/*.[ch] tests/bench/*.c)

# --- pictures of the README ------------------------------------------------------------------------------------------
# Filters on a noisy step, a panel a filter. A jump, bridged and not. A marker before and after.
PICTURES := data/pictures/filters.svg data/pictures/tracking.svg data/pictures/wrist.svg
STEPS    := damper critical spring second-order one-euro tracking
STEP_damper       := -H 0.1
STEP_critical     := -H 0.1
STEP_spring       := -f 2 -z 0.2
STEP_second-order := -f 1.5 -z 0.5 -r -1
STEP_one-euro     := --beta 0.5
STEP_tracking     := --cut-column cut
DRAWN             := $(BUILD)/pictures
STEP_FILES        := $(STEPS:%=$(DRAWN)/%.txt)

pictures: $(PICTURES)

# One column: the filter's name, and what it makes of x.
$(DRAWN)/%.txt: data/step.csv $(BUILD)/sprung Makefile
	@mkdir -p $(@D)
	{ echo $*; $(BUILD)/sprung $* $(STEP_$*) -c x -d 0 --decimals 4 $< | tail -n +2 | cut -d, -f2; } > $@

# The same column of the input, once for each filter.
data/pictures/filters.svg: data/step.csv $(STEP_FILES)
	@mkdir -p $(@D)
	for name in $(STEPS); do { echo $$name; tail -n +2 $< | cut -d, -f2; } > $(DRAWN)/$$name.in; done
	cut -d, -f1 $< | paste -d, - $(STEPS:%=$(DRAWN)/%.in) > $(DRAWN)/input.csv
	cut -d, -f1 $< | paste -d, - $(STEP_FILES) > $(DRAWN)/output.csv
	cd $(DRAWN) && $(CURDIR)/$(BUILD)/sprung plot -o $(CURDIR)/$@ input.csv output.csv

data/pictures/tracking.svg: data/wave.csv $(BUILD)/sprung Makefile
	@mkdir -p $(@D) $(DRAWN)
	cp $< $(DRAWN)/marker.csv
	$(BUILD)/sprung tracking --cut-column cut -c x -d 0 $< > $(DRAWN)/tracking.csv
	$(BUILD)/sprung critical -H 0.1 -c x -d 0 $< > $(DRAWN)/critical.csv
	cd $(DRAWN) && $(CURDIR)/$(BUILD)/sprung plot -c x -o $(CURDIR)/$@ marker.csv tracking.csv critical.csv

# The height of the marker, its velocity and acceleration; tracking computes them of the samples as they are.
WRIST := --rate 100 --quiet --header 3,4 -c 5 -d 2 data/vicon.csv | tail -n +6 | cut -d , -f 5,12-
data/pictures/wrist.svg: data/vicon.csv $(BUILD)/sprung Makefile
	@mkdir -p $(@D) $(DRAWN)
	{ echo height,velocity,acceleration; $(BUILD)/sprung tracking $(WRIST); } > $(DRAWN)/before.csv
	{ echo height,velocity,acceleration; $(BUILD)/sprung butterworth --cutoff 6 --zero-phase --despike 6 $(WRIST); } \
	  > $(DRAWN)/after.csv
	cd $(DRAWN) && $(CURDIR)/$(BUILD)/sprung plot --rate 100 -o $(CURDIR)/$@ before.csv after.csv

# --- installing ------------------------------------------------------------------------------------------------------
# Debian's zsh looks for the completions of packages, below /usr, in a folder of its own.
SHARE   = $(DESTDIR)$(PREFIX)/share
BIN     = $(DESTDIR)$(PREFIX)/bin/sprung
MAN     = $(SHARE)/man
DOC     = $(SHARE)/doc/sprung
BASH    = $(SHARE)/bash-completion/completions/sprung
ZSH     = $(SHARE)/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)/_sprung
INCLUDE = $(DESTDIR)$(PREFIX)/include
LIBDIR  = $(DESTDIR)$(PREFIX)/lib
FISH    = $(SHARE)/fish/vendor_completions.d/sprung.fish
SAMPLES = $(wildcard data/*.csv data/*.bvh data/*.trc data/*.sto data/*.mot data/*.fbx data/*.txt data/*.c data/*.LICENSE data/clean.py)

install: install-program install-library

install-program: all
	install -D -m 755 $(BUILD)/sprung "$(BIN)"
	install -D -m 644 man/completion.bash "$(BASH)"
	install -D -m 644 man/completion.zsh "$(ZSH)"
	install -D -m 644 man/completion.fish "$(FISH)"
	install -D -m 644 LICENSE "$(DOC)/copyright"
	install -D -m 644 -t "$(DOC)" README.md
	install -D -m 644 -t "$(DOC)/examples" $(SAMPLES)
	mkdir -p "$(MAN)/man1" "$(MAN)/man5" "$(MAN)/man7"
	for page in $(PAGES); do \
	    file="$(MAN)/man$${page##*.}/$$page.gz"; \
	    gzip -9n < $(BUILD)/$$page > "$$file" && chmod 644 "$$file" || exit 1; \
	done
	printf 'sprung (%s) unstable; urgency=medium\n\n  * Release %s.\n\n -- %s  %s\n' $(VERSION) $(VERSION) \
	  '$(MAINTAINER)' '$(RELEASED)' | gzip -9n > "$(DOC)/changelog.gz"
	chmod 644 "$(DOC)/changelog.gz"

# What other programs link, below LIBDIR, with the header below INCLUDE.
install-library: library
	install -D -m 644 src/sprung.h "$(INCLUDE)/sprung.h"
	install -D -m 644 $(BUILD)/lib/libsprung.a "$(LIBDIR)/libsprung.a"
	install -D -m 755 $(BUILD)/lib/$(SONAME) "$(LIBDIR)/$(SONAME)"
	ln -sf $(SONAME) "$(LIBDIR)/libsprung.so"
	mkdir -p "$(LIBDIR)/pkgconfig"
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' 'Name: sprung' \
	    'Description: springs that filter time series' 'Version: $(VERSION)' 'Cflags: -I$${includedir}' \
	    'Libs: -L$${libdir} -lsprung' 'Libs.private: -lm' > "$(LIBDIR)/pkgconfig/sprung.pc"
	chmod 644 "$(LIBDIR)/pkgconfig/sprung.pc"

uninstall:
	rm -f "$(INCLUDE)/sprung.h" "$(LIBDIR)/libsprung.a" "$(LIBDIR)/$(SONAME)" "$(LIBDIR)/libsprung.so" \
	  "$(LIBDIR)/pkgconfig/sprung.pc"
	rm -f "$(BIN)" "$(BASH)" "$(ZSH)" "$(FISH)"
	for page in $(PAGES); do rm -f "$(MAN)/man$${page##*.}/$$page.gz"; done
	rm -rf "$(DOC)"

# --- packages to hand on: a tarball of the source; Debian packages of what make install installs -----------------------
MAINTAINER ?= The sprung authors <noreply@sprung.invalid>
DEB_ARCH    = $(shell dpkg --print-architecture)
DIST        = $(BUILD)/sprung-$(VERSION).tar.gz
DEB         = $(BUILD)/sprung_$(VERSION)_$(DEB_ARCH).deb
DEB_DEV     = $(BUILD)/libsprung-dev_$(VERSION)_$(DEB_ARCH).deb
AT_LEAST    = $(1) (>= $(shell dpkg-query -W -f '$${source:Upstream-Version}' $(1)))
PINNED      = SOURCE_DATE_EPOCH=$$(date -d '$(RELEASED)' +%s)

define CONTROL
Package: sprung
Version: $(VERSION)
Architecture: $(DEB_ARCH)
Maintainer: $(MAINTAINER)
Depends: $(call AT_LEAST,libc6), $(call AT_LEAST,libcjson1), $(call AT_LEAST,libsndfile1), $(call AT_LEAST,zlib1g)
Recommends: gnuplot-nox
Section: science
Priority: optional
Description: filter time series with springs
 sprung removes noise from motion capture curves, pointer traces, sensor logs
 and sound, and turns jumps into smooth transitions. It reads CSV, JSON, audio
 and motion files, filters the channels with springs that are exact at any
 sample rate, and copies every other byte.
endef

define CONTROL_DEV
Package: libsprung-dev
Version: $(VERSION)
Architecture: $(DEB_ARCH)
Maintainer: $(MAINTAINER)
Depends: $(call AT_LEAST,libc6)
Section: libdevel
Priority: optional
Description: springs that filter time series, for C, C++ and Python
 The filters of sprung as functions: row by row for games and devices, whole
 series without lag for recorded motion. The header, the static and the
 shared library.
endef

dist:
	@mkdir -p $(BUILD)
	{ [ -e .git ] && git ls-files -z || find * .[!.]* -path build -prune -o -type f -print0; } | LC_ALL=C sort -z \
	  | tar --null -T - --transform 's,^,sprung-$(VERSION)/,' --mtime '$(RELEASED)' --owner 0 --group 0 --numeric-owner \
	    --mode go=rX,u+rw -cf - | gzip -9n > $(DIST)
	@echo $(DIST)

deb: deb-program deb-dev

# Exported to these recipes alone: make expands an exported variable for every command that it runs.
deb-program: private export PACKAGE = $(CONTROL)
deb-program: all
	rm -rf $(BUILD)/deb
	$(MAKE) -s install-program DESTDIR=$(BUILD)/deb PREFIX=/usr
	strip --strip-unneeded --remove-section=.comment --remove-section=.note $(BUILD)/deb/usr/bin/sprung
	mkdir $(BUILD)/deb/DEBIAN
	echo "$$PACKAGE" > $(BUILD)/deb/DEBIAN/control
	cd $(BUILD)/deb && find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums
	chmod -R u=rwX,go=rX $(BUILD)/deb
	$(PINNED) dpkg-deb --root-owner-group -Zxz --build $(BUILD)/deb $(DEB)

# The package of the library.
deb-dev: private export PACKAGE = $(CONTROL_DEV)
deb-dev: library
	rm -rf $(BUILD)/deb-dev
	$(MAKE) -s install-library DESTDIR=$(BUILD)/deb-dev PREFIX=/usr
	strip --strip-unneeded --remove-section=.comment --remove-section=.note $(BUILD)/deb-dev/usr/lib/$(SONAME)
	strip --strip-debug --enable-deterministic-archives $(BUILD)/deb-dev/usr/lib/libsprung.a
	chmod 644 $(BUILD)/deb-dev/usr/lib/$(SONAME)
	install -D -m 644 LICENSE $(BUILD)/deb-dev/usr/share/doc/libsprung-dev/copyright
	printf 'sprung (%s) unstable; urgency=medium\n\n  * Release %s.\n\n -- %s  %s\n' $(VERSION) $(VERSION) \
	  '$(MAINTAINER)' '$(RELEASED)' | gzip -9n > $(BUILD)/deb-dev/usr/share/doc/libsprung-dev/changelog.gz
	mkdir $(BUILD)/deb-dev/DEBIAN
	echo "$$PACKAGE" > $(BUILD)/deb-dev/DEBIAN/control
	echo 'activate-noawait ldconfig' > $(BUILD)/deb-dev/DEBIAN/triggers
	echo 'libsprung $(firstword $(subst ., ,$(VERSION))) libsprung-dev (>= $(VERSION))' > $(BUILD)/deb-dev/DEBIAN/shlibs
	cd $(BUILD)/deb-dev && find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums
	chmod -R u=rwX,go=rX $(BUILD)/deb-dev
	$(PINNED) dpkg-deb --root-owner-group -Zxz --build $(BUILD)/deb-dev $(DEB_DEV)

clean:
	rm -rf build

always:

.PHONY: all always objects deps deps-static static deps-windows windows deps-release release deps-check deps-bench demo unit check fresh refs inject properties fuzzers fuzz fuzz-keep bench bench-scale accuracy budget budget-update \
        format pictures install install-program install-library library uninstall dist deb deb-program deb-dev clean
.DELETE_ON_ERROR:
