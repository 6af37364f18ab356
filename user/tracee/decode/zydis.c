// SPDX-License-Identifier: GPL-2.0-only
/*
 * Zydis as a part of this library (zydis-image): no file of its own is loaded, and its thousands of
 * relocations, which few processes live long enough to need, are done before the first burst. That
 * may be in a handler, and where there is no dynamic linker: none is asked.
 */
#include <elf.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"
#include "tracee/decode/decode.h"
#include "tracee/preload/sys.h"

/* Of the image; the pages between the last two are written to. */
extern uint8_t zydis_image[], zydis_data[], zydis_data_end[];
extern const Elf64_Dyn zydis_dynamic[];

static const void *table(int64_t tag)
{
	const Elf64_Dyn *entry = zydis_dynamic;

	while (entry->d_tag != DT_NULL && entry->d_tag != tag)
		entry++;
	return zydis_image + entry->d_un.d_val;
}

static size_t size_of(int64_t tag)
{
	return (const uint8_t *)table(tag) - zydis_image;
}

/* Not the C library's, which is not called where a burst may be (bursts/miss.h). */
static bool same_text(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* For its checks of itself: a fault of our own ends what is under way. */
static void fails(void)
{
	__builtin_trap();
}

/* What it has from a C library, of memory.c. */
static uint64_t imported(const char *name)
{
	static const struct {
		char name[8];
		void *function;
	} known[] = { { "memcpy", memcpy }, { "memset", memset }, { "strlen", strlen } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (same_text(known[i].name, name))
			return (uint64_t)known[i].function;
	return (uint64_t)fails;
}

static uint64_t value_of(const Elf64_Rela *r)
{
	const Elf64_Sym *symbol = (const Elf64_Sym *)table(DT_SYMTAB) + ELF64_R_SYM(r->r_info);

	if (ELF64_R_TYPE(r->r_info) == R_X86_64_RELATIVE)
		return (uint64_t)zydis_image + r->r_addend;
	if (symbol->st_shndx != SHN_UNDEF)
		return (uint64_t)zydis_image + symbol->st_value + r->r_addend;
	return imported((const char *)table(DT_STRTAB) + symbol->st_name);
}

static void relocate(const Elf64_Rela *all, size_t size)
{
	size_t i;

	for (i = 0; i < size / sizeof(*all); i++) {
		uint64_t value = value_of(&all[i]);

		memcpy(zydis_image + all[i].r_offset, &value, sizeof(value));
	}
}

bool zydis_ready(void)
{
	static bool ready;
	size_t size = zydis_data_end - zydis_data;

	if (ready)
		return true;
	if (sys3(mprotect, zydis_data, size, PROT_READ | PROT_WRITE))
		return false;
	relocate(table(DT_RELA), size_of(DT_RELASZ));
	relocate(table(DT_JMPREL), size_of(DT_PLTRELSZ));
	ready = !sys3(mprotect, zydis_data, size, PROT_READ);
	return ready;
}
