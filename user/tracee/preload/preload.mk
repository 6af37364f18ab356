# SPDX-License-Identifier: GPL-2.0-only
# The library preloaded into natively running programs. It needs the C library and nothing else.

NATIVE_DIR	= $(BUILD)/native
NATIVE_LIB	= $(NATIVE_DIR)/libccsample-native.so
NATIVE_OBJ	= $(patsubst user/%.c,$(BUILD)/native-obj/%.o,$(sort $(wildcard user/tracee/preload/*.c)))

# Its calls are seen as its callers' by functions that ask who called: hence the tail calls, which
# are made from -O2 on.
NATIVE_CFLAGS	= $(CFLAGS) -O2 -std=gnu11 $(WARN) -fPIC -fvisibility=hidden -fno-strict-aliasing -fno-builtin-malloc \
		  -fno-stack-protector -foptimize-sibling-calls -ftls-model=initial-exec

native: $(NATIVE_LIB)

$(BUILD)/native-obj/%.o: user/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(CPPFLAGS) -D_GNU_SOURCE -Iuser -MMD -MP $(NATIVE_CFLAGS) -c -o $@ $<

# Code and constants in one segment: each mapping more costs each process of the program.
$(NATIVE_LIB): $(NATIVE_OBJ)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -shared -Wl,-z,initfirst -Wl,-z,noseparate-code -Wl,-z,defs -Wl,-soname,$(@F) -o $@ $^
