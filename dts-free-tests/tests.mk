# SPDX-License-Identifier: GPL-2.0-only
# What `make check` builds: unit tests (unit/ROOM/test-FILE.c, each a program
# that prints TAP), the programs that are measured, the independent simulator.

UNIT_HELP = $(BUILD)/dts-free-tests/unit/tap.o
PROGRAMS  = $(patsubst dts-free-tests/programs/%.c,$(BUILD)/programs/%,\
	      $(sort $(wildcard dts-free-tests/programs/*.c))) \
	    $(patsubst dts-free-tests/programs/cxx/%.cc,$(BUILD)/programs/cxx-%,\
	      $(sort $(wildcard dts-free-tests/programs/cxx/*.cc)))

# What scripts ask: a recording or trace as text, one of the virtual core against the core's own
# log, natively running programs, programs under the library of bursts, hostile recordings, speed.
TOOLS	  = $(addprefix $(BUILD)/dts-free-tests/,\
	      $(addprefix bench/,measure make-recording large-binary loops decode warp compositional core-trace) \
	      bursts/run bursts/keep-classes hostile/rename hostile/bomb module/agree module/check native/objects native/record \
	      perf/make-sources perf/samples record/dump trace/expand)
# The sharing model against exact simulation.
SHARE_TOOLS = $(addprefix $(BUILD)/dts-free-tests/share/,pairs proxy stream stressed)

# Every object is named here or in the Makefile: make deletes none, and makes a missing one again.
tests: all man completion $(UNIT) $(TOOLS) programs truth share-tools \
       $(BUILD)/dts-free-tests/record/evex $(BUILD)/dts-free-tests/bursts/fuzz \
       $(if $(shell command -v $(MPICC)),mpi)

$(TOOLS): %: %.o $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

.PHONY: share-tools
share-tools: $(SHARE_TOOLS)

$(SHARE_TOOLS): %: %.o $(BUILD)/dts-free-tests/share/exact.o $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

$(BUILD)/dts-free-tests/unit/%.o: ALL_CPPFLAGS += -iquote dts-free-tests/unit

$(UNIT): %: %.o $(UNIT_HELP) $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# A part of the tracer's library.
$(BUILD)/dts-free-tests/unit/bursts/test-text: $(BUILD)/bursts-obj/tracee/bursts/text.o
$(BUILD)/dts-free-tests/unit/bursts/test-places: $(BUILD)/bursts-obj/tracee/bursts/places.o
$(BUILD)/dts-free-tests/unit/bursts/test-heads $(BUILD)/dts-free-tests/unit/decode/test-decode: \
	$(patsubst %,$(BUILD)/bursts-obj/tracee/%.o,decode/heads decode/decode x86/refuse)
$(BUILD)/dts-free-tests/unit/preload/test-image: $(NATIVE_OBJ)
$(patsubst %,$(BUILD)/dts-free-tests/unit/bursts/test-%,threads area lock cache calls): \
	$(filter-out $(BURSTS_PRELOAD) $(BURSTS_ATTACH),$(BURSTS_OBJ)) $(ZYDIS).o

# The measured programs: as users build theirs, with debug information. How is part of what
# the tests know of them: flags from outside do not reach them.
PROGRAM_CC  ?= gcc
PROGRAM_CXX ?= g++
PROGRAM_CFLAGS = -O2 -g -std=gnu11 -Wall -Wextra $(if $(WERROR),-Werror)
programs: $(PROGRAMS)

$(BUILD)/programs/%: dts-free-tests/programs/%.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(PROGRAM_CC) $(PROGRAM_CFLAGS) -Idts-free-tests/programs -o $@ $< -lm

$(BUILD)/programs/cxx-%: dts-free-tests/programs/cxx/%.cc
	@mkdir -p $(@D)
	$(SAY) CXX $@
	$(Q)$(PROGRAM_CXX) -O2 -g -std=gnu++17 -Wall -Wextra $(if $(WERROR),-Werror) -o $@ $<

# Exact classes of misses from a lackey trace, written apart from user/.
.PHONY: truth
truth: $(BUILD)/truth

$(BUILD)/truth: dts-free-tests/truth/truth.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(PROGRAM_CFLAGS) -o $@ $<

# A program that the engine cannot run.
$(BUILD)/dts-free-tests/record/evex: dts-free-tests/record/evex.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(PROGRAM_CFLAGS) -o $@ $<

# How often the verdicts are right: kernels beside the programs, and what studies them.
.PHONY: accuracy-tools
ACCURACY = $(BUILD)/dts-free-tests/accuracy
KERNELS	 = $(patsubst dts-free-tests/accuracy/kernels/%.c,$(BUILD)/kernels/%,\
	     $(sort $(wildcard dts-free-tests/accuracy/kernels/*.c)))

# Programs of the nine classes.
CLASSES	 = $(patsubst dts-free-tests/accuracy/classes/%.c,$(BUILD)/classes/%,\
	     $(sort $(wildcard dts-free-tests/accuracy/classes/*.c))) $(BUILD)/classes/names-cxx

tests: accuracy-tools
accuracy-tools: $(ACCURACY)/study $(ACCURACY)/place $(KERNELS) $(CLASSES)

$(ACCURACY)/study: $(ACCURACY)/study.o $(ACCURACY)/exact.o $(ACCURACY)/runs.o \
		   $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

$(ACCURACY)/place: dts-free-tests/accuracy/place.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(PROGRAM_CFLAGS) -o $@ $<

$(BUILD)/kernels/%: dts-free-tests/accuracy/kernels/%.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(PROGRAM_CC) $(PROGRAM_CFLAGS) -Idts-free-tests/programs -o $@ $< -lm

$(BUILD)/classes/%: dts-free-tests/accuracy/classes/%.c dts-free-tests/accuracy/classes/variant.h
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(PROGRAM_CC) $(PROGRAM_CFLAGS) -D_GNU_SOURCE -o $@ $< -lpthread

$(BUILD)/classes/%: dts-free-tests/accuracy/classes/%.cc
	@mkdir -p $(@D)
	$(SAY) CXX $@
	$(Q)$(PROGRAM_CXX) -O2 -g -std=gnu++17 -Wall -Wextra $(if $(WERROR),-Werror) -o $@ $<

# Where there is a gfortran; only `make accuracy-classes` asks for it.
$(BUILD)/classes/%: dts-free-tests/accuracy/classes/%.f90
	@mkdir -p $(@D)
	$(SAY) FC $@
	$(Q)cd $(@D) && gfortran -O2 -g -o $(abspath $@) $(abspath $<)

# Sequences of instructions in the tracer of bursts itself.
BURSTS_FUZZ = $(patsubst %,$(BUILD)/dts-free-tests/bursts/%.o,fuzz chain chain-run sequence step walk) \
	      $(filter-out %/library.o %/zydis.o $(BURSTS_PRELOAD) $(BURSTS_ATTACH),$(BURSTS_OBJ))

$(BUILD)/dts-free-tests/bursts/chain-run.o: dts-free-tests/bursts/chain-run.S dts-free-tests/bursts/chain-layout.h \
					   $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) AS $<
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/dts-free-tests/bursts/fuzz: $(BURSTS_FUZZ) $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -Wl,-z,now -o $@ $^ $(LDLIBS)

# The fuzzers, with clang: one sanitized build of the library for all, in a directory of its own.
# FAST=1: another without AddressSanitizer, for many executions.
FUZZERS = $(patsubst dts-free-tests/fuzz/%.c,$(BUILD)/%,$(sort $(wildcard dts-free-tests/fuzz/fuzz-*.c)))
FUZZ_CC ?= clang
FUZZ_BUILD = $(BUILD)/$(if $(FAST),fuzz-fast,fuzz)
FUZZ_SAN = $(if $(FAST),,address$(comma))undefined
comma := ,

.PHONY: fuzz-programs
fuzzers:
	@if command -v $(firstword $(FUZZ_CC)) >/dev/null; then \
		$(MAKE) --no-print-directory BUILD=$(FUZZ_BUILD) CC='$(FUZZ_CC)' CFLAGS='-O2 -g' \
			LDFLAGS= WERROR= SAN=fuzzer-no-link,$(FUZZ_SAN) fuzz-programs; \
	else \
		echo 'ccsample: $(FUZZ_CC) is not installed: no fuzzers'; \
	fi

fuzz-programs: $(FUZZERS)

# libFuzzer calls LLVMFuzzerTestOneInput() and declares it nowhere.
$(BUILD)/dts-free-tests/fuzz/%.o: WARN += -Wno-missing-prototypes

# What fuzzed recordings name: the fuzzer itself has megabytes of debug information.
FUZZ_PROGRAM = $(BUILD)/program
$(BUILD)/dts-free-tests/fuzz/%.o: ALL_CPPFLAGS += -iquote dts-free-tests/unit -DFUZZ_PROGRAM='"$(abspath $(FUZZ_PROGRAM))"'

$(FUZZ_PROGRAM): dts-free-tests/fuzz/program.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(PROGRAM_CC) $(PROGRAM_CFLAGS) -o $@ $<

$(FUZZERS): | $(FUZZ_PROGRAM)
$(FUZZERS): $(BUILD)/fuzz-%: $(BUILD)/dts-free-tests/fuzz/fuzz-%.o $(patsubst %,$(BUILD)/dts-free-tests/fuzz/%.o,files quiet) $(BUILD)/libccsample.a
	$(SAY) LD $@
	$(Q)$(LINK) -fsanitize=fuzzer,$(FUZZ_SAN) $(patsubst %,-Wl$(comma)--wrap=%,open read fstat close fopen) -o $@ $^ $(LDLIBS)
