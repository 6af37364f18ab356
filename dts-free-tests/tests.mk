# SPDX-License-Identifier: GPL-2.0-only
# What `make check` builds: unit tests (unit/ROOM/test-FILE.c, each a program
# that prints TAP), the programs that are measured, the independent simulator.

UNIT_HELP = $(BUILD)/dts-free-tests/unit/tap.o
PROGRAMS  = $(patsubst dts-free-tests/programs/%.c,$(BUILD)/programs/%,\
	      $(sort $(wildcard dts-free-tests/programs/*.c))) \
	    $(patsubst dts-free-tests/programs/cxx/%.cc,$(BUILD)/programs/cxx-%,\
	      $(sort $(wildcard dts-free-tests/programs/cxx/*.cc)))

tests: man completion $(UNIT) programs truth bench-tools record-tools native-tools trace-tools share-tools

$(BUILD)/dts-free-tests/unit/%.o: ALL_CPPFLAGS += -iquote dts-free-tests/unit

$(UNIT): %: %.o $(UNIT_HELP) $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# The measured programs: as users build theirs, with debug information. How is part of what
# the tests know of them: flags from outside do not reach them.
PROGRAM_CC  ?= gcc
PROGRAM_CXX ?= g++
programs: $(PROGRAMS)

$(BUILD)/programs/%: dts-free-tests/programs/%.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(PROGRAM_CC) -O2 -g -std=gnu11 -Wall -Wextra $(if $(WERROR),-Werror) -Idts-free-tests/programs -o $@ $< -lm

$(BUILD)/programs/cxx-%: dts-free-tests/programs/cxx/%.cc
	@mkdir -p $(@D)
	$(SAY) CXX $@
	$(Q)$(PROGRAM_CXX) -O2 -g -std=gnu++17 -Wall -Wextra $(if $(WERROR),-Werror) -o $@ $<

# Exact classes of misses from a lackey trace, written apart from user/.
.PHONY: truth bench-tools record-tools
truth: $(BUILD)/truth

$(BUILD)/truth: dts-free-tests/truth/truth.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) -O2 -g -std=gnu11 -Wall -Wextra $(if $(WERROR),-Werror) -o $@ $<

# The benchmark's helpers.
bench-tools: $(patsubst %,$(BUILD)/dts-free-tests/bench/%,measure make-recording loops decode warp compositional core-trace)

$(BUILD)/dts-free-tests/bench/%: $(BUILD)/dts-free-tests/bench/%.o $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# A recording as text, and a program that the engine cannot run.
record-tools: $(BUILD)/dts-free-tests/record/dump $(BUILD)/dts-free-tests/record/evex

$(BUILD)/dts-free-tests/record/dump: $(BUILD)/dts-free-tests/record/dump.o $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

$(BUILD)/dts-free-tests/record/evex: dts-free-tests/record/evex.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) -O2 -g -std=gnu11 -Wall -Wextra $(if $(WERROR),-Werror) -o $@ $<

# A compressed trace as text, reference by reference.
.PHONY: trace-tools
trace-tools: $(BUILD)/dts-free-tests/trace/expand

$(BUILD)/dts-free-tests/trace/expand: $(BUILD)/dts-free-tests/trace/expand.o $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# Records what natively running programs tell of their memory.
.PHONY: native-tools
native-tools: $(BUILD)/dts-free-tests/native/record $(BUILD)/dts-free-tests/native/objects

$(BUILD)/dts-free-tests/native/%: $(BUILD)/dts-free-tests/native/%.o $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# A recording made on the virtual core, against the core's own book.
tests: $(BUILD)/dts-free-tests/module/check $(BUILD)/dts-free-tests/module/agree

$(BUILD)/dts-free-tests/module/%: $(BUILD)/dts-free-tests/module/%.o $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# How often the verdicts are right: kernels beside the programs, and what studies them.
.PHONY: accuracy-tools
ACCURACY = $(BUILD)/dts-free-tests/accuracy
KERNELS	 = $(patsubst dts-free-tests/accuracy/kernels/%.c,$(BUILD)/kernels/%,\
	     $(sort $(wildcard dts-free-tests/accuracy/kernels/*.c)))

tests: accuracy-tools
accuracy-tools: $(ACCURACY)/study $(KERNELS)

$(ACCURACY)/study: $(ACCURACY)/study.o $(ACCURACY)/exact.o $(ACCURACY)/runs.o \
		   $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

$(BUILD)/kernels/%: dts-free-tests/accuracy/kernels/%.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(PROGRAM_CC) -O2 -g -std=gnu11 -Wall -Wextra $(if $(WERROR),-Werror) -Idts-free-tests/programs -o $@ $< -lm

# The sharing model against exact simulation.
.PHONY: share-tools
share-tools: $(patsubst %,$(BUILD)/dts-free-tests/share/%,stream pairs stand-in stressed)

$(BUILD)/dts-free-tests/share/%: $(BUILD)/dts-free-tests/share/%.o $(BUILD)/dts-free-tests/share/exact.o \
				 $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# The samples of an imported recording, as perf script shows them; a file of data sources.
tests: $(patsubst %,$(BUILD)/dts-free-tests/perf/%,samples make-sources)

$(BUILD)/dts-free-tests/perf/%: $(BUILD)/dts-free-tests/perf/%.o $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# Programs under the library of bursts; sequences of instructions in the tracer itself.
tests: bursts $(BUILD)/dts-free-tests/bursts/run

$(BUILD)/dts-free-tests/bursts/run: $(BUILD)/dts-free-tests/bursts/run.o $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

BURSTS_FUZZ = $(patsubst %,$(BUILD)/dts-free-tests/bursts/%.o,fuzz sequence step) \
	      $(filter-out %/library.o %/wrap.o,$(BURSTS_OBJ))

tests: $(BUILD)/dts-free-tests/bursts/fuzz

$(BUILD)/dts-free-tests/bursts/fuzz: $(BURSTS_FUZZ) $(BUILD)/libccsample.a
	$(SAY) CC $@
	$(Q)$(LINK) -Wl,-z,now -o $@ $^ $(LDLIBS)

# The fuzzers, with clang: one sanitized build of the library for all of them, in a directory of its own.
FUZZERS = $(patsubst dts-free-tests/fuzz/%.c,$(BUILD)/%,$(sort $(wildcard dts-free-tests/fuzz/fuzz-*.c)))
FUZZ_CC ?= clang

.PHONY: fuzz-programs
fuzzers:
	@if command -v $(FUZZ_CC) >/dev/null; then \
		$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=$(FUZZ_CC) CFLAGS='-O1 -g' LDFLAGS= WERROR= \
			SAN=fuzzer-no-link,address,undefined fuzz-programs; \
	else \
		echo 'ccsample: $(FUZZ_CC) is not installed: no fuzzers'; \
	fi

fuzz-programs: $(FUZZERS)

# libFuzzer calls LLVMFuzzerTestOneInput() and declares it nowhere.
$(BUILD)/dts-free-tests/fuzz/%.o: WARN += -Wno-missing-prototypes

$(BUILD)/fuzz-%: $(BUILD)/dts-free-tests/fuzz/fuzz-%.o $(BUILD)/libccsample.a
	$(SAY) LD $@
	$(Q)$(LINK) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LDLIBS)
