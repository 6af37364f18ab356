# SPDX-License-Identifier: GPL-2.0-only
# The library that staggers heap blocks of programs. It needs the C library and nothing else:
# glibc from 2.34 on, where dlsym() and the functions of threads are in libc.so; before, these are to be
# linked (LDFLAGS='-Wl,--no-as-needed -ldl -lpthread').

PADS_DIR	= $(BUILD)/pads
PADS_LIB	= $(PADS_DIR)/libccsample-pads.so
PADS_OBJ	= $(patsubst user/%.c,$(BUILD)/pads-obj/%.o,$(sort $(wildcard user/tracee/pads/*.c user/pads/*.c)))

# Plain calls are jumps to the allocator: hence the tail calls. bad_alloc passes through operator new.
PADS_CFLAGS	= $(CFLAGS) -std=gnu11 $(WARN) -fPIC -fvisibility=hidden -fno-strict-aliasing -fno-builtin \
		  -fno-stack-protector -foptimize-sibling-calls -fexceptions

# Each process of a script that is cured loads it: as few mappings, pages and names as can be.
# The builder's flags come after: a distribution's relocations are read-only, for two page faults.
PADS_LDFLAGS	= -shared -nostartfiles -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-z,initfirst -Wl,-z,defs

pads: $(PADS_LIB)

$(BUILD)/pads-obj/%.o: user/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(CPPFLAGS) -D_GNU_SOURCE -Iuser -MMD -MP $(PADS_CFLAGS) -c -o $@ $<

$(PADS_LIB): $(PADS_OBJ)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(PADS_LDFLAGS) $(LDFLAGS) -Wl,-soname,$(@F) -o $@ $^
