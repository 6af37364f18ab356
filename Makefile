# SPDX-License-Identifier: GPL-2.0-only
# The verbs. `make help` lists them; Kbuild holds the kernel module's objects.

BUILD	?= build
KDIR	?= $(firstword $(wildcard /lib/modules/$(shell uname -r)/build) \
	     $(lastword $(sort $(wildcard /lib/modules/*/build))))

PREFIX		?= /usr/local
bindir		?= $(PREFIX)/bin
libexecdir	?= $(PREFIX)/libexec
includedir	?= $(PREFIX)/include
datadir		?= $(PREFIX)/share
mandir		?= $(datadir)/man

# CC, CFLAGS, CPPFLAGS, LDFLAGS and PKG_CONFIG are the builder's. What the code needs stands
# after them, in variables of its own. WERROR=1 makes warnings errors; SAN=address,undefined
# builds the tools and the unit tests with these sanitizers. HARDEN=1, as `make deb`: with what
# distributions ask for, and without the name of this directory in it.
PKG_CONFIG	?= pkg-config
ifneq ($(HARDEN),)
CFLAGS		?= -O2 -g -ffile-prefix-map=$(CURDIR)=. -fstack-protector-strong -fstack-clash-protection \
		   -fcf-protection -Wformat -Werror=format-security
CPPFLAGS	?= -D_FORTIFY_SOURCE=2
LDFLAGS		?= -Wl,-z,relro -Wl,-z,now
endif
CFLAGS		?= -O2 -g
LIBRARIES	= libdw libelf libzstd libxxhash libnl-genl-3.0
VERSION		:= $(shell cat VERSION)

# Zydis of some distributions has no .pc file.
pc-cflags	= $(shell $(PKG_CONFIG) --cflags $(LIBRARIES) && $(PKG_CONFIG) --cflags zydis 2>/dev/null)
pc-libs		= $(shell $(PKG_CONFIG) --libs zydis 2>/dev/null || echo -lZydis) \
		  $(shell $(PKG_CONFIG) --libs $(LIBRARIES))
# Asked for when first used, and once.
LIB_CFLAGS	= $(eval LIB_CFLAGS := $(pc-cflags))$(LIB_CFLAGS)
LDLIBS		= $(eval LDLIBS := $(pc-libs) -liberty -lm)$(LDLIBS)

WARN	= -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter \
	  -Wno-sign-compare -Wno-missing-field-initializers $(if $(WERROR),-Werror)
SANITIZE = $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
ALL_CFLAGS = $(CFLAGS) $(WARN) -std=gnu11 -fno-strict-aliasing $(SANITIZE)
# Where the tools look for the engine, seen from their own directory.
LIBEXEC	:= $(shell realpath -m --relative-to=$(bindir) $(libexecdir)/ccsample)
ALL_CPPFLAGS = $(CPPFLAGS) -D_GNU_SOURCE -iquote . -Iuser -Iuapi $(LIB_CFLAGS) \
	       -DCCSAMPLE_VERSION='"$(VERSION)"' -DCCSAMPLE_LIBEXEC='"$(LIBEXEC)"' -MMD -MP
LINK	= $(CC) $(ALL_CFLAGS) $(LDFLAGS)

# What tests need is compiled on all processors, unless -j says on how many.
PARALLEL = $(if $(findstring j,$(filter-out --%,$(MAKEFLAGS))),,-j$(shell nproc))

# One line for each file; V=1 shows the commands.
Q	= $(if $(V),,@)
SAY	= @$(if $(V),:,printf '  %-4s %s\n')

# One object library of every room; commands and the table of commands on top.
ROOMS	= base bursts pads gain rcd cachesim prsd warp share-model pebs perf format program loops space output findings ranks classify \
	  advise patch report diff plot gate page history serve export simulate tracing sharing cure host attach record burst-source device import options
LIB_OBJ	= $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard $(ROOMS:%=user/%/*.c))) kmod/models.c)
LIB_OBJ	+= $(BUILD)/user/classify/shipped-model.o $(BUILD)/user/page/files.o
CMD_OBJ	= $(patsubst %.c,$(BUILD)/%.o,user/ccsample.c $(sort $(wildcard user/cmd/*.c)))
UNIT	= $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard dts-free-tests/unit/*/test-*.c)))

.PHONY: all help deps tools engine native bursts pads man completion kmod programs tests fuzzers vcore demo test check check-vcore FORCE
.PHONY: check-hosts check-faults check-sanitized check-threads load fuzz check-module check-matrix check-debug check-cfi check-deb check-packages accuracy accuracy-classes reproduce papers sharing gate-study bench
.PHONY: install uninstall kmod-install dkms-install deb clean
.DELETE_ON_ERROR:

all: tools engine native bursts pads

help:
	@sed -n 's/^## //p' Makefile

## make deps        install the Debian packages that building and the demo need
deps:
	@scripts/deps build demo

## make             the tools, the engine and the native library, into build/
tools: $(BUILD)/ccsample

$(BUILD)/ccsample: $(CMD_OBJ) $(BUILD)/libccsample.a
	$(SAY) LD $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

$(BUILD)/libccsample.a: $(LIB_OBJ)
	$(SAY) AR $@
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/flags VERSION
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

# How objects are compiled: where that changes they are made again. (Not for WERROR alone.)
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@$(PKG_CONFIG) --exists --print-errors $(LIBRARIES) || \
		{ echo 'ccsample: libraries are missing: scripts/deps --list build names their packages' >&2; exit 1; }
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(SAN) $(LIBEXEC)' >$@.now
	@if cmp -s $@.now $@; then rm $@.now; else mv $@.now $@; fi
FORCE:

# The models that come with the tools, as they stand.
$(BUILD)/user/classify/shipped-model.o: user/classify/shipped.model
	@mkdir -p $(@D)
	$(SAY) LD $<
	$(Q)cd $(<D) && $(LD) -r -b binary -z noexecstack -o $(abspath $@) $(<F)

include user/page/page.mk
include user/tracee/valgrind/valgrind.mk
include user/tracee/preload/preload.mk
include user/tracee/bursts/bursts.mk
include user/tracee/pads/pads.mk
include user/mpi/mpi.mk
include dts-free-tests/tests.mk

## make man         the manual pages, into build/man (scdoc)
MAN = $(patsubst docs/man/%.scd,$(BUILD)/man/%,$(sort $(wildcard docs/man/*.scd)))
man: $(if $(shell command -v scdoc),$(MAN),no-man)

.PHONY: no-man
no-man:
	@echo 'ccsample: scdoc is not installed: no manual pages (make deps)'

$(BUILD)/man/%: docs/man/%.scd $(BUILD)/ccsample scripts/man
	@mkdir -p $(@D)
	$(SAY) MAN $@
	$(Q)scripts/man $(BUILD)/ccsample $< >$@

# What shells complete, from --help.
completion: $(BUILD)/completion/bash $(BUILD)/completion/zsh

$(BUILD)/completion/%: $(BUILD)/ccsample scripts/completion
	@mkdir -p $(@D)
	$(SAY) GEN $@
	$(Q)scripts/completion $(BUILD)/ccsample $* >$@

## make kmod        the kernel module, against the headers in KDIR
kmod:
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

## make demo        record a conflicting program before and after padding; reports and picture in demo/
demo: deps
	@$(MAKE) --no-print-directory all $(BUILD)/programs/symmetrize
	@scripts/demo $(BUILD)

## make vcore       the virtual core with PEBS: builds the emulator, once (about 4 minutes)
vcore:
	@scripts/deps build vcore
	@dts-free-tests/vcore/build

## make test        the tests that need no root, no network and no virtual core: a few minutes
test:
	@$(MAKE) $(PARALLEL) --no-print-directory WERROR=1 all tests
	@dts-free-tests/run --quick $(BUILD)

## make check       all tests: install what they need, the virtual core, build, test
# Without the virtual core the tests that need it are skipped, and say so.
check:
	@scripts/deps build demo test
	@dts-free-tests/vcore/build --about
	-@$(MAKE) --no-print-directory vcore
	@$(MAKE) $(PARALLEL) --no-print-directory WERROR=1 all tests fuzzers
	@dts-free-tests/run $(BUILD)

## make check-faults each call of the tools that can fail does, one in each run (hours)
check-faults:
	@scripts/deps build demo test
	@$(MAKE) --no-print-directory all tests
	@FAULTS=all dts-free-tests/run $(BUILD) dts-free-tests/hostile/test-faults

## make check-sanitized  units and scripts with AddressSanitizer and UBSan, ThreadSanitizer, memcheck (hours); NAMES= for some
check-sanitized:
	@scripts/deps build demo test
	@$(MAKE) --no-print-directory all tests
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/san SAN=address,undefined all tests
	@dts-free-tests/sanitized $(BUILD)/san $(BUILD) $(NAMES)

## make check-threads  ThreadSanitizer on the ring and the preloaded libraries that threads share (a minute)
check-threads:
	@scripts/deps build demo test
	@$(MAKE) --no-print-directory all tests
	@dts-free-tests/threads $(BUILD)/thread $(BUILD)

## make load         time and memory of reports on the largest cases, as a table (docs/security.md)
load:
	@$(MAKE) --no-print-directory all tests
	@dts-free-tests/bench/load $(BUILD)

## make fuzz         all fuzzers for TIME seconds each, one after the other; corpora stay in build/corpus
# FAST=1: without AddressSanitizer, and so many more times.
TIME ?= 60
fuzz:
	@$(MAKE) --no-print-directory fuzzers
	@FAST=$(FAST) dts-free-tests/fuzz/run $(BUILD) $(TIME)

## make check-hosts the tests that run programs here, as if on hosts of other caches, string functions, environments
HOSTS	   = 32K/8 48K/12 64K/4
HOST_TESTS = accuracy/test advise/ bursts/test cases/ data/ engine/ events/ export/ gate/ history/ \
	     lab/test-lab levels/test loops/ native/ page/ pads/ papers/ perf/test ranks/ real/ record/ schema/ \
	     share/ sim/ trace/ users/ verdicts/ zoo/
check-hosts:
	@scripts/deps build demo test
	@$(MAKE) --no-print-directory all tests
	@for host in $(HOSTS); do echo "$$host:"; \
		dts-free-tests/as-host $$host dts-free-tests/run $(BUILD) $(HOST_TESTS:%=dts-free-tests/%) || exit; done

## make check-vcore of these the tests of the virtual core, refereed by stock perf
check-vcore: vcore
	@dts-free-tests/run $(BUILD) dts-free-tests/vcore/

## make check-module  of the module what takes long, and recording through it, in guests
check-module: vcore
	@$(MAKE) --no-print-directory all tests
	@dts-free-tests/run $(BUILD) dts-free-tests/module/record $(wildcard dts-free-tests/kmod/long-* dts-free-tests/perf/long-*)

## make check-matrix  the module on each model, kernel and with and without isolation
check-matrix: vcore
	@dts-free-tests/run $(BUILD) dts-free-tests/kmod/matrix

## make check-debug   the module on a kernel that looks for mistakes (built once: 20 minutes)
check-debug: vcore
	@dts-free-tests/vcore/kernel debug >/dev/null
	@dts-free-tests/run $(BUILD) dts-free-tests/kmod/debug

## make check-cfi     the module on a kernel with kCFI (built once: 15 minutes; clang-16, lld-16, llvm-16)
check-cfi: vcore
	@dts-free-tests/vcore/kernel cfi >/dev/null
	@dts-free-tests/run $(BUILD) dts-free-tests/kmod/cfi

## make check-deb   the Debian packages installed and removed in a system of their own (as root)
check-deb:
	@scripts/deps build test
	@$(MAKE) --no-print-directory all programs
	@dts-free-tests/run $(BUILD) dts-free-tests/deb/long-install

## make check-packages  the packages built twice, in two directories: equal bit for bit, hardened, clean
check-packages:
	@scripts/deps build test
	@dts-free-tests/run $(BUILD) dts-free-tests/deb/long-packages

## make accuracy    how often the verdicts are right: labels, runs, scores, into docs/explanation/
# OUTSIDE=LIST: also on programs of your own: dts-free-tests/accuracy/programs writes the list.
accuracy: accuracy-classes
	@scripts/deps build demo test
	@$(MAKE) --no-print-directory all programs accuracy-tools
	@dts-free-tests/accuracy/run $(BUILD) reproduce/accuracy
	@dts-free-tests/accuracy/publish reproduce/accuracy
	@test -z "$(OUTSIDE)" || dts-free-tests/accuracy/outside $(BUILD) "$(OUTSIDE)" --work reproduce/outside

## make accuracy-classes  the same on programs of nine classes, in minutes
accuracy-classes:
	@$(MAKE) --no-print-directory all accuracy-tools $(if $(shell command -v gfortran),$(BUILD)/classes/names-fortran)
	@dts-free-tests/accuracy/classes/run $(BUILD)

## make reproduce   tables 2 to 4 and figures 7 to 9 of the CCProf paper for our programs, into reproduce/
# APPS=FILE: for applications of your own, see dts-free-tests/reproduce/apps.txt.
reproduce:
	@scripts/deps build demo test
	@$(MAKE) --no-print-directory all programs accuracy-tools
	@test -s reproduce/accuracy/figure-8.txt || dts-free-tests/accuracy/run $(BUILD) reproduce/accuracy
	@dts-free-tests/reproduce/run $(BUILD) reproduce $(APPS)

## make papers      the commands of docs/papers.md, hours; ROWS= for some of them
papers:
	@scripts/deps build demo test
	@$(MAKE) --no-print-directory all programs tests
	@dts-free-tests/papers/run $(BUILD) $(ROWS)

## make advise-study  the time that advise expects a cure to save, and what it saves here: an hour, a table
.PHONY: advise-study
advise-study:
	@$(MAKE) --no-print-directory all $(BUILD)/dts-free-tests/bench/measure
	@dts-free-tests/advise/study $(BUILD) $(RUNS)

## make torture     10^7 random calls of the library of pads over each checking allocator: CALLS=10000000
CALLS ?= 10000000
.PHONY: torture
torture: all
	@CALLS=$(CALLS) dts-free-tests/pads/test-checked $(BUILD)

## make sharing     the sharing model against exact simulation, into sharing/; NAMES= for some programs
sharing:
	@scripts/deps build demo test
	@$(MAKE) --no-print-directory all programs share-tools
	@dts-free-tests/share/evaluate $(BUILD) sharing $(NAMES)

## make gate-study  how often `ccsample check` is right, into gate-study/: PAIRS=50 RUNS=500 COSTS=20
PAIRS ?= 50
RUNS  ?= 500
COSTS ?= 20
gate-study:
	@scripts/deps build test
	@$(MAKE) --no-print-directory all
	@PYTHONDONTWRITEBYTECODE=1 python3 dts-free-tests/gate/study.py $(BUILD) gate-study $(PAIRS) $(RUNS) $(COSTS)

## make bench       speed against cachegrind, in ratios
bench:
	@scripts/deps build demo test
	@$(MAKE) --no-print-directory all programs tests
	@dts-free-tests/bench/run $(BUILD)

## make bench-bursts  what recording in bursts costs 33 programs, on an idle machine: 25 minutes, a table
.PHONY: bench-bursts
bench-bursts:
	@scripts/deps build test
	@$(MAKE) --no-print-directory all programs $(addprefix $(BUILD)/dts-free-tests/,bench/measure record/dump)
	@dts-free-tests/bench/bursts $(BUILD)

## make install     into PREFIX (/usr/local), DESTDIR before it; bindir, libexecdir, mandir ...
install: all man completion
	install -D $(BUILD)/ccsample $(DESTDIR)$(bindir)/ccsample
	install -d $(DESTDIR)$(libexecdir)/ccsample
	install -m 644 $(BUILD)/engine/* $(NATIVE_LIB) $(BURSTS_LIB) $(ATTACH_LIB) $(PADS_LIB) $(DESTDIR)$(libexecdir)/ccsample/
	chmod 755 $(DESTDIR)$(libexecdir)/ccsample/ccsample-amd64-linux
	install -D -m 644 uapi/ccsample-marks.h $(DESTDIR)$(includedir)/ccsample-marks.h
	for page in $(notdir $(MAN)); do test ! -e $(BUILD)/man/$$page || \
		install -D -m 644 $(BUILD)/man/$$page $(DESTDIR)$(mandir)/man$${page##*.}/$$page; done
	install -D -m 644 $(BUILD)/completion/bash $(DESTDIR)$(datadir)/bash-completion/completions/ccsample
	install -D -m 644 $(BUILD)/completion/zsh $(DESTDIR)$(datadir)/zsh/site-functions/_ccsample

## make kmod-install  the kernel module into /lib/modules, with its udev rule and group
# With DESTDIR files are laid down there, and nothing of this machine changes.
kmod-install: kmod
	$(MAKE) -C $(KDIR) M=$(CURDIR) INSTALL_MOD_PATH=$(DESTDIR) $(if $(DESTDIR),DEPMOD=true) modules_install
	install -D -m 644 scripts/60-ccsample.rules $(DESTDIR)/etc/udev/rules.d/60-ccsample.rules
	$(if $(DESTDIR),,getent group ccsample >/dev/null || groupadd --system ccsample)
	$(if $(DESTDIR),,depmod)

## make dkms-install  the module's sources where DKMS builds them for each kernel
DKMS_DIR = $(DESTDIR)/usr/src/ccsample-$(VERSION)
dkms-install:
	install -d $(DKMS_DIR)
	cp -R Kbuild COPYING kmod uapi $(DKMS_DIR)
	find $(DKMS_DIR) -name '*.o' -delete -o -name '.*.cmd' -delete
	sed 's/@VERSION@/$(VERSION)/' scripts/dkms.conf >$(DKMS_DIR)/dkms.conf
	install -D -m 644 scripts/60-ccsample.rules $(DESTDIR)/etc/udev/rules.d/60-ccsample.rules

## make deb         Debian packages into build/deb: ccsample, and ccsample-dkms (the module)
deb:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/hardened HARDEN=1 all man completion
	@HARDEN=1 scripts/deb/build $(BUILD)/hardened $(BUILD)/deb

uninstall:
	rm -rf $(DESTDIR)$(bindir)/ccsample $(DESTDIR)$(libexecdir)/ccsample
	rm -f $(DESTDIR)$(includedir)/ccsample-marks.h
	rm -f $(foreach page,$(notdir $(MAN)),$(DESTDIR)$(mandir)/man$(lastword $(subst ., ,$(page)))/$(page))
	rm -f $(DESTDIR)$(datadir)/bash-completion/completions/ccsample $(DESTDIR)$(datadir)/zsh/site-functions/_ccsample

# What kbuild leaves is beside the sources.
clean:
	rm -rf $(BUILD) demo reproduce sharing gate-study
	rm -rf ccsample.ko ccsample.o ccsample.mod* .ccsample.* .module-common.o Module.symvers modules.order .Module.symvers.cmd .modules.order.cmd
	find kmod \( -name '*.o' -o -name '.*.cmd' -o -name '.*.d' \) -delete

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
