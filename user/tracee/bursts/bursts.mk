# SPDX-License-Identifier: GPL-2.0-only
# The library that traces bursts inside observed programs: preloaded, and for running ones. Debian
# has no archive of Zydis: each holds the shared library as it lies in memory, and relocates it when
# it is needed.

BURSTS_DIR	= $(BUILD)/bursts
BURSTS_LIB	= $(BURSTS_DIR)/libccsample-bursts.so
BURSTS_SOURCES	= $(sort $(wildcard $(patsubst %,user/tracee/%,bursts/*.c bursts/*.S wraps/*.c wraps/*.S decode/*.c x86/*.c)))
BURSTS_OBJ	= $(patsubst user/%,$(BUILD)/bursts-obj/%.o,$(basename $(BURSTS_SOURCES)))
BURSTS_PRELOAD	= $(BUILD)/bursts-obj/tracee/bursts/preload.o \
		  $(filter $(BUILD)/bursts-obj/tracee/wraps/%,$(BURSTS_OBJ))
BURSTS_ATTACH	= $(patsubst %,$(BUILD)/bursts-obj/tracee/bursts/%.o,attach attach-back alone)
BURSTS_MK	= user/tracee/bursts/bursts.mk
ATTACH_LIB	= $(BURSTS_DIR)/libccsample-attach.so

BURSTS_CFLAGS	= $(CFLAGS) -std=gnu11 $(WARN) -fPIC -fvisibility=hidden -fno-strict-aliasing \
		  -fno-stack-protector

bursts: $(BURSTS_LIB) $(ATTACH_LIB)

# The vector registers are the program's where a block is translated (miss.h).
$(filter-out %/preload.o,$(BURSTS_OBJ)): BURSTS_CFLAGS += -mgeneral-regs-only

# They hold the C library's functions: those must not become calls of themselves. (gcc's option;
# clang has none of them left after -ffreestanding.)
$(BUILD)/bursts-obj/tracee/x86/memory.o: BURSTS_CFLAGS += -ffreestanding \
	$(shell $(CC) -fno-tree-loop-distribute-patterns -E -x c /dev/null >/dev/null 2>&1 && \
		echo -fno-tree-loop-distribute-patterns)

$(BUILD)/bursts-obj/%.o: user/%.c $(BUILD)/flags $(BURSTS_MK)
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(CPPFLAGS) -D_GNU_SOURCE -Iuser -MMD -MP $(BURSTS_CFLAGS) -c -o $@ $<

$(BUILD)/bursts-obj/%.o: user/%.S $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) AS $<
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

ZYDIS		= $(BUILD)/bursts-obj/zydis
# The one that the linker takes.
ZYDIS_SHARED	:= $(shell $(CC) $(LDFLAGS) -shared -o /dev/null -Wl,-t -lZydis 2>/dev/null | grep -m 1 libZydis)

# A copy, since another one may be of an older date.
$(ZYDIS).so: FORCE
	@mkdir -p $(@D)
	@test -n "$(ZYDIS_SHARED)" || { echo 'ccsample: the linker finds no shared library of Zydis:' \
		'scripts/deps --list build names its package, LDFLAGS=-LDIR says where another is' >&2; exit 1; }
	@cmp -s "$(ZYDIS_SHARED)" $@ || cp -f "$(ZYDIS_SHARED)" $@

$(ZYDIS).o: user/tracee/decode/zydis-image $(ZYDIS).so $(BUILD)/flags $(BURSTS_MK)
	$(SAY) AS $@
	$(Q)$< "$(ZYDIS_SHARED)" $(ZYDIS).image >$(ZYDIS).s && $(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $(ZYDIS).s

# Code and constants in one segment: each mapping more costs each process of the program.
$(BURSTS_LIB): $(filter-out $(BURSTS_ATTACH),$(BURSTS_OBJ)) $(ZYDIS).o
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -shared -Wl,-z,now -Wl,-z,noseparate-code -Wl,-z,defs -Wl,-soname,$(@F) -o $@ $^

# The recorder relocates it, and knows no packed relocations (attach/image.c).
ATTACH_LDFLAGS	= $(filter-out %pack-relative-relocs %pack-dyn-relocs=relr,$(LDFLAGS))

$(ATTACH_LIB): $(filter-out $(BURSTS_PRELOAD),$(BURSTS_OBJ)) $(ZYDIS).o
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(ATTACH_LDFLAGS) -shared -nostdlib -Wl,-z,now -Wl,-z,defs -Wl,-soname,$(@F) -o $@ $^
