# SPDX-License-Identifier: GPL-2.0-only
# The reference engine: a Valgrind tool, against the headers and libraries of the package `valgrind`.

ENGINE_DIR	= $(BUILD)/engine
ENGINE_OBJ_DIR	= $(BUILD)/engine-obj
# Where Valgrind's libraries, headers and own files are: each may be given.
ENGINE_VEX	?= $(shell $(PKG_CONFIG) --variable=libdir valgrind)/valgrind
ENGINE_INCLUDE	?= $(eval ENGINE_INCLUDE := $(shell $(PKG_CONFIG) --variable=includedir valgrind))$(ENGINE_INCLUDE)
ENGINE_EXEC	?= $(dir $(firstword $(wildcard /usr/libexec/valgrind/default.supp /usr/lib*/valgrind/default.supp \
			/usr/lib/*/valgrind/default.supp)))
ENGINE_OBJ	= $(patsubst user/%.c,$(ENGINE_OBJ_DIR)/%.o,\
			$(sort $(wildcard user/tracee/valgrind/*.c)) \
			$(filter-out user/tracee/valgrind-lib/preload.c,$(sort $(wildcard user/tracee/valgrind-lib/*.c))) \
			$(sort $(wildcard user/cachesim/*.c)) \
			$(addprefix user/prsd/,room.c callers.c shapes.c follow.c compress.c encode.c))

ENGINE_WARN	= -Wall -Wextra -Wshadow -Wstrict-prototypes -Wno-unused-parameter -Wno-sign-compare $(if $(WERROR),-Werror)
# Of a loop that clears memory gcc would make a call of memset(), which is not there.
ENGINE_GCC	= $(eval ENGINE_GCC := $(if $(findstring clang,$(shell $(CC) --version)),,\
			-flto=auto -fno-tree-loop-distribute-patterns))$(ENGINE_GCC)
ENGINE_CFLAGS	= $(CFLAGS) -m64 -O3 $(ENGINE_GCC) -g -std=gnu11 $(ENGINE_WARN) -ffreestanding -fomit-frame-pointer \
		  -fno-strict-aliasing -fno-stack-protector -fno-asynchronous-unwind-tables
ENGINE_CPPFLAGS	= $(CPPFLAGS) -Iuser -I$(ENGINE_INCLUDE) -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 \
		  -DVGPV_amd64_linux_vanilla=1 -DCCSAMPLE_VERSION='"$(VERSION)"' -MMD -MP

engine: $(ENGINE_DIR)/ccsample-amd64-linux $(ENGINE_DIR)/vgpreload_ccsample-amd64-linux.so $(ENGINE_DIR)/default.supp

$(ENGINE_OBJ_DIR)/%.o: user/%.c $(BUILD)/flags VERSION
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(ENGINE_CPPFLAGS) $(ENGINE_CFLAGS) -fno-pic -fno-pie -c -o $@ $<

# A static program of its own, out of the way of the addresses that programs use.
$(ENGINE_DIR)/ccsample-amd64-linux: $(ENGINE_OBJ)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(ENGINE_CFLAGS) $(LDFLAGS) -static -nodefaultlibs -nostartfiles -no-pie -u _start -Wl,-Ttext-segment=0x58000000 \
		-Wl,--build-id=none -Wl,--wrap=vgPlain_kill_self \
		-Wl,--wrap=vgModuleLocal_read_debuginfo_dwarf3,--wrap=sanityCheckIRSB \
		-Wl,--wrap=vgPlain_redir_do_lookup,--wrap=vgPlain_poll_signals \
		-Wl,--wrap=h_generic_calc_MAddF32,--wrap=h_generic_calc_MAddF64 -o $@ $^ \
		-L$(ENGINE_VEX) -lcoregrind-amd64-linux -lvex-amd64-linux -lgcc -lgcc-sup-amd64-linux

# Valgrind's calls of wrapped functions bring CFI of their own: clang needs a frame around it.
$(ENGINE_DIR)/vgpreload_ccsample-amd64-linux.so: user/tracee/valgrind-lib/preload.c user/tracee/valgrind-lib/requests.h
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CPPFLAGS) -Iuser -I$(ENGINE_INCLUDE) $(CFLAGS) $(LDFLAGS) -m64 -std=gnu11 $(ENGINE_WARN) \
		-ffreestanding -fPIC -fexceptions -fasynchronous-unwind-tables -fno-stack-protector \
		-fvisibility=hidden -shared -nodefaultlibs -nostartfiles \
		-Wl,-z,interpose,-z,initfirst -o $@ $<

# What Valgrind's core looks for in the directory of its tool.
$(ENGINE_DIR)/default.supp: $(ENGINE_EXEC)default.supp
	@mkdir -p $(@D)
	cp $(ENGINE_EXEC)vgpreload_core-amd64-linux.so $(ENGINE_EXEC)64bit-*.xml $(ENGINE_EXEC)amd64-*.xml $(@D)/
	cp $(ENGINE_EXEC)default.supp $@
