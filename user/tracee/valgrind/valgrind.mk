# SPDX-License-Identifier: GPL-2.0-only
# The reference engine: a Valgrind tool, against the headers and libraries of the package `valgrind`.

ENGINE_DIR	= $(BUILD)/engine
ENGINE_OBJ_DIR	= $(BUILD)/engine-obj
ENGINE_VEX	?= $(dir $(firstword $(wildcard /usr/lib/*/valgrind/libvex-amd64-linux.a /usr/lib*/valgrind/libvex-amd64-linux.a)))
ENGINE_EXEC	?= $(dir $(firstword $(wildcard /usr/libexec/valgrind/default.supp /usr/lib*/valgrind/default.supp \
			/usr/lib/*/valgrind/default.supp)))
ENGINE_INCLUDE	?= /usr/include/valgrind
ENGINE_OBJ	= $(patsubst user/%.c,$(ENGINE_OBJ_DIR)/%.o,\
			$(filter-out user/tracee/valgrind/preload.c,$(sort $(wildcard user/tracee/valgrind/*.c))) \
			$(sort $(wildcard user/cachesim/*.c)) \
			$(addprefix user/prsd/,room.c shapes.c follow.c compress.c encode.c))

ENGINE_WARN	= -Wall -Wextra -Wshadow -Wstrict-prototypes -Wno-unused-parameter -Wno-sign-compare -Werror
ENGINE_CFLAGS	= -m64 -O3 -flto=auto -g -std=gnu11 $(ENGINE_WARN) -ffreestanding -fomit-frame-pointer -fno-strict-aliasing \
		  -fno-stack-protector -fno-tree-loop-distribute-patterns -fno-asynchronous-unwind-tables
ENGINE_CPPFLAGS	= -Iuser -I$(ENGINE_INCLUDE) -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 \
		  -DVGPV_amd64_linux_vanilla=1 -DCCSAMPLE_VERSION='"$(shell cat VERSION)"' -MMD -MP

engine: $(ENGINE_DIR)/ccsample-amd64-linux $(ENGINE_DIR)/vgpreload_ccsample-amd64-linux.so $(ENGINE_DIR)/default.supp

$(ENGINE_OBJ_DIR)/%.o: user/%.c
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(ENGINE_CPPFLAGS) $(ENGINE_CFLAGS) -fno-pic -fno-pie -c -o $@ $<

# A static program of its own, out of the way of the addresses that programs use.
$(ENGINE_DIR)/ccsample-amd64-linux: $(ENGINE_OBJ)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(ENGINE_CFLAGS) -static -nodefaultlibs -nostartfiles -no-pie -u _start -Wl,-Ttext-segment=0x58000000 \
		-Wl,--build-id=none -Wl,--wrap=vgPlain_kill_self \
		-Wl,--wrap=vgModuleLocal_read_debuginfo_dwarf3,--wrap=sanityCheckIRSB \
		-Wl,--wrap=vgPlain_redir_do_lookup,--wrap=vgPlain_poll_signals -o $@ $^ \
		-L$(ENGINE_VEX) -lcoregrind-amd64-linux -lvex-amd64-linux -lgcc -lgcc-sup-amd64-linux

$(ENGINE_DIR)/vgpreload_ccsample-amd64-linux.so: user/tracee/valgrind/preload.c user/tracee/valgrind/requests.h
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) -Iuser -I$(ENGINE_INCLUDE) -m64 -O2 -g -std=gnu11 -Wall -Wextra -Werror -ffreestanding -fPIC \
		-fexceptions -fno-stack-protector -fvisibility=hidden -shared -nodefaultlibs -nostartfiles \
		-Wl,-z,interpose,-z,initfirst -o $@ $<

# What Valgrind's core looks for in the directory of its tool.
$(ENGINE_DIR)/default.supp: $(ENGINE_EXEC)default.supp
	@mkdir -p $(@D)
	cp $(ENGINE_EXEC)vgpreload_core-amd64-linux.so $(ENGINE_EXEC)64bit-*.xml $(ENGINE_EXEC)amd64-*.xml $(@D)/
	cp $(ENGINE_EXEC)default.supp $@
