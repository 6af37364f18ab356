// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/wire.h"
#include "format/format.h"
#include "program/dwarf-file.h"
#include "program/elf-file.h"
#include "program/guard.h"
#include "program/library-code.h"
#include "program/symbol-table.h"
#include "program/symbols.h"

#define PAGE		4096u
#define BUCKETS		1024
#define SEGMENTS_MOST	64

struct module {
	struct module *next;		/* in its bucket */
	char *path;
	uint8_t *build_id;
	size_t build_id_size;
	bool unread;			/* it has no names at all: see error */
	bool opened;
	bool read;			/* names */
	bool alone;			/* DWARF of its own only */
	char *error;
	struct elf_file file;
	struct elf_file debug;
	struct segment *segments;
	size_t segment_count;
	struct symbol_table table;
	struct dwarf_file dwarf;
	size_t number;			/* by symbols_wire() */
};

struct symbols {
	struct module *bucket[BUCKETS];
	bool alone;
};

struct symbols *symbols_new(void)
{
	return xcalloc(1, sizeof(struct symbols));
}

void symbols_leave_debug_files(struct symbols *symbols)
{
	symbols->alone = true;
}

static void module_free(struct module *module)
{
	guard_enter(module->path);
	dwarf_file_close(&module->dwarf);
	symbol_table_drop(&module->table);
	elf_file_close(&module->debug);
	elf_file_close(&module->file);
	guard_leave();
	free(module->segments);
	free(module->error);
	free(module->build_id);
	free(module->path);
	free(module);
}

void symbols_free(struct symbols *symbols)
{
	struct module *module, *next;

	if (!symbols)
		return;
	for (int i = 0; i < BUCKETS; i++) {
		for (module = symbols->bucket[i]; module; module = next) {
			next = module->next;
			module_free(module);
		}
	}
	free(symbols);
}

static uint32_t hash_of(const char *path, const uint8_t *build_id, size_t build_id_size)
{
	uint32_t hash = 2166136261u;

	for (; !build_id_size && *path; path++)
		hash = (hash ^ (uint8_t)*path) * 16777619u;
	for (size_t i = 0; i < build_id_size; i++)
		hash = (hash ^ build_id[i]) * 16777619u;
	return hash ^ hash >> 16;
}

static void read_segments(struct module *module)
{
	Elf *elf = module->file.elf;
	struct segment *segment;
	GElf_Phdr header;
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return;
	module->segments = xcalloc(SEGMENTS_MOST, sizeof(*segment));
	for (size_t i = 0; i < count && module->segment_count < SEGMENTS_MOST; i++) {
		if (!gelf_getphdr(elf, i, &header) || header.p_type != PT_LOAD ||
		    !header.p_memsz || header.p_filesz > header.p_memsz ||
		    header.p_vaddr + header.p_memsz < header.p_vaddr ||
		    header.p_vaddr + header.p_memsz > ~(uint64_t)0 - PAGE ||
		    header.p_offset % PAGE != header.p_vaddr % PAGE)
			continue;
		segment = &module->segments[module->segment_count++];
		segment->start = header.p_vaddr & -(uint64_t)PAGE;
		segment->end = (header.p_vaddr + header.p_memsz + PAGE - 1) & -(uint64_t)PAGE;
		segment->file_end = header.p_filesz ? header.p_vaddr + header.p_filesz :
						      segment->start;
		segment->offset = header.p_offset & -(uint64_t)PAGE;
		segment->write = header.p_flags & PF_W;
		segment->execute = header.p_flags & PF_X;
	}
}

static bool build_id_fits(const struct module *module)
{
	return !module->build_id_size ||
	       (module->build_id_size == module->file.build_id_size &&
		!memcmp(module->build_id, module->file.build_id, module->build_id_size));
}

/* "/tmp/prog (deleted)" is good where the same build has come back. */
static const char *open_deleted(struct module *module)
{
	static const char ending[] = " (deleted)";
	size_t length = strlen(module->path), end = strlen(ending);
	const char *reason;
	char *path;

	if (length <= end || strcmp(module->path + length - end, ending))
		return "does not exist any more";
	if (!module->build_id_size)
		return "was deleted while it ran";
	path = xstrdup(module->path);
	path[length - end] = '\0';
	reason = elf_file_open(&module->file, path);
	free(path);
	if (!reason && !build_id_fits(module)) {
		elf_file_close(&module->file);
		reason = "";
	}
	return reason ? "was deleted while it ran" : NULL;
}

static void open_file(struct module *module)
{
	const char *reason;

	if (module->path[0] == '[') {
		module->error = xasprintf("%s is no file: nothing to read names from",
					    module->path);
		return;
	}
	if (guard_damage(module->path) == GUARD_NOTHING) {
		module->error = xasprintf("%s is damaged: no names from it", module->path);
		return;
	}
	reason = elf_file_open(&module->file, module->path);
	if (reason && !strcmp(reason, "does not exist any more"))
		reason = open_deleted(module);
	if (reason) {
		module->error = xasprintf("%s %s: no names from it", module->path, reason);
		return;
	}
	if (!build_id_fits(module)) {
		module->error = xasprintf("%s is not the file that ran (build-id differs): it "
					  "has changed since, or was a container's",
					  module->path);
		elf_file_close(&module->file);
		return;
	}
	read_segments(module);
}

static void open_module(struct module *module)
{
	if (module->opened)
		return;
	module->opened = true;
	guard_enter(module->path);
	open_file(module);
	module->unread = module->error && module->path[0] != '[';
	guard_leave();
}

/* The same path, or another one of a file that is known to be that build. */
static bool is_module(struct module *module, const char *path, const uint8_t *build_id,
		      size_t build_id_size)
{
	if (module->build_id_size != build_id_size ||
	    (build_id_size && memcmp(module->build_id, build_id, build_id_size)))
		return false;
	if (!strcmp(module->path, path))
		return true;
	if (!build_id_size)
		return false;
	open_module(module);
	return module->file.elf;
}

struct module *symbols_module(struct symbols *symbols, const char *path,
			      const uint8_t *build_id, size_t build_id_size)
{
	struct module **bucket, *module;

	if (!build_id)
		build_id_size = 0;
	bucket = &symbols->bucket[hash_of(path, build_id, build_id_size) % BUCKETS];
	for (module = *bucket; module; module = module->next)
		if (is_module(module, path, build_id, build_id_size))
			return module;
	module = xcalloc(1, sizeof(*module));
	module->path = xstrdup(path);
	module->alone = symbols->alone;
	if (build_id_size) {
		module->build_id = xmalloc(build_id_size);
		memcpy(module->build_id, build_id, build_id_size);
		module->build_id_size = build_id_size;
	}
	module->next = *bucket;
	*bucket = module;
	return module;
}

static void list_modules(struct symbols *symbols, struct modules *modules)
{
	for (int i = 0; i < BUCKETS; i++) {
		for (struct module *module = symbols->bucket[i]; module; module = module->next) {
			modules->all = grow(modules->all, modules->count, &modules->room,
					    sizeof(*modules->all));
			modules->all[modules->count++] = module;
			module->number = modules->count;
		}
	}
}

static void read_module_name(struct symbols *symbols, struct wire *wire, struct modules *modules)
{
	char *path = wire_text(wire, NULL);
	uint8_t build_id[CCS_BUILD_ID_MAX];
	size_t size = wire_number(wire, 0, CCS_BUILD_ID_MAX);

	wire_bytes(wire, build_id, size);
	modules->all = grow(modules->all, modules->count, &modules->room, sizeof(*modules->all));
	modules->all[modules->count++] = symbols_module(symbols, path ? path : "", build_id, size);
	free(path);
}

void symbols_wire(struct symbols *symbols, struct wire *wire, struct modules *modules)
{
	size_t count;

	if (!wire->reads)
		list_modules(symbols, modules);
	count = wire_number(wire, modules->count, UINT32_MAX);
	for (size_t i = 0; i < count && !wire->wrong; i++) {
		if (wire->reads) {
			read_module_name(symbols, wire, modules);
			continue;
		}
		wire_text(wire, modules->all[i]->path);
		wire_number(wire, modules->all[i]->build_id_size, CCS_BUILD_ID_MAX);
		wire_bytes(wire, modules->all[i]->build_id, modules->all[i]->build_id_size);
	}
}

struct module *module_wire(struct module *module, struct wire *wire, const struct modules *modules)
{
	size_t number = wire_number(wire, module ? module->number : 0, modules->count);

	return number ? modules->all[number - 1] : NULL;
}

const char *module_path(const struct module *module)
{
	return module->path;
}

static bool has_dwarf(const struct elf_file *file)
{
	return elf_file_section(file, ".debug_info") || elf_file_section(file, ".zdebug_info");
}

static char *why_no_lines(const struct module *module)
{
	if (has_dwarf(&module->file) || has_dwarf(&module->debug))
		return xasprintf("the debug information of %s cannot be read: no source lines "
				 "(if it is compressed, `objcopy --decompress-debug-sections` may "
				 "help)", module->path);
	return xasprintf(module->table.count ?
			 "%s has no debug information: no source lines "
			 "(compile with -g, or install its debug package)" :
			 "%s is stripped: no names (compile with -g, or install its debug package)",
			 module->path);
}

/* Names: the DWARF of the file or of its debug file, and the better symbol table. */
static void read_names(struct module *module)
{
	bool dwarf = false;

	if (guard_damage(module->path)) {
		symbol_table_read(&module->table, &module->file, &module->debug);
		module->error = xasprintf("the debug information of %s is damaged: no source lines",
					  module->path);
		return;
	}
	if (has_dwarf(&module->file)) {
		dwarf = dwarf_file_open(&module->dwarf, module->file.elf);
	} else {
		elf_file_debug(&module->file, module->path, &module->debug);
		dwarf = module->debug.elf && !module->alone &&
			dwarf_file_open(&module->dwarf, module->debug.elf);
	}
	symbol_table_read(&module->table, &module->file, &module->debug);
	if (!dwarf && !module->alone)
		module->error = why_no_lines(module);
	else if (module->dwarf.split_off)
		module->error = xasprintf("%s was compiled with -gsplit-dwarf, and %zu of its .dwo "
					  "files cannot be found: no variables, and no inlined "
					  "calls, of these", module->path,
					  module->dwarf.split_off);
}

static void read_module(struct module *module)
{
	if (module->read)
		return;
	module->read = true;
	open_module(module);
	if (!module->file.elf)
		return;
	guard_enter(module->path);
	read_names(module);
	guard_leave();
}

bool module_unread(struct module *module)
{
	open_module(module);
	return module->unread;
}

const char *module_error(struct module *module)
{
	read_module(module);
	return module->error;
}

int64_t module_time(struct module *module)
{
	open_module(module);
	return module->file.time;
}

const struct segment *module_segment(struct module *module, uint64_t address)
{
	open_module(module);
	for (size_t i = 0; i < module->segment_count; i++)
		if (module->segments[i].start <= address && address < module->segments[i].end)
			return &module->segments[i];
	return NULL;
}

uint64_t module_end(struct module *module)
{
	uint64_t end = 0;

	open_module(module);
	for (size_t i = 0; i < module->segment_count; i++)
		if (module->segments[i].end > end)
			end = module->segments[i].end;
	return end;
}

bool module_bias(struct module *module, uint64_t start, uint64_t offset, uint32_t protection,
		 uint64_t *bias)
{
	bool write = protection & CCS_MAP_WRITE, execute = protection & CCS_MAP_EXEC;
	const struct segment *segment, *best = NULL;
	int score, best_score = -1;
	uint64_t size;

	open_module(module);
	for (size_t i = 0; i < module->segment_count; i++) {
		segment = &module->segments[i];
		size = (segment->file_end - segment->start + PAGE - 1) & -(uint64_t)PAGE;
		score = 2 * (segment->execute == execute) + (segment->write == write);
		if (segment->offset > offset || offset - segment->offset >= size ||
		    score <= best_score)
			continue;
		best = segment;
		best_score = score;
	}
	if (!best)
		return false;
	*bias = start - (best->start + (offset - best->offset));
	return true;
}

const struct elf_file *module_file(struct module *module)
{
	open_module(module);
	return module->file.elf ? &module->file : NULL;
}

const struct symbol_table *module_table(struct module *module)
{
	read_module(module);
	return &module->table;
}

size_t module_inlines(struct module *module, uint64_t address, struct location *chain,
		      size_t most)
{
	const struct symbol *symbol;
	size_t count = 0;

	read_module(module);
	if (module->dwarf.dwarf) {
		guard_enter(module->path);
		count = dwarf_file_locate(&module->dwarf, address, chain, most);
		guard_leave();
	}
	if (count && chain[count - 1].function)
		return count;
	symbol = symbol_table_function(&module->table, address);
	if (!symbol)
		return count;
	if (!count)
		chain[count++] = (struct location) { 0 };
	chain[count - 1].function = symbol->name;
	chain[count - 1].entry = symbol->address;
	return count;
}

int module_locate(struct module *module, uint64_t address, struct location *location)
{
	struct location chain[1] = { 0 };
	size_t count = module_inlines(module, address, chain, 1);

	*location = chain[0];
	return count ? 0 : -1;
}

int module_own_line(struct module *module, uint64_t address, struct location *location)
{
	struct location chain[MODULE_INLINES] = { 0 };
	size_t count = module_inlines(module, address, chain, MODULE_INLINES);

	*location = chain[own_location(chain, count)];
	return count ? 0 : -1;
}

/* Fortran's common blocks are declared in functions; their symbols end so. */
static bool is_common(const struct symbol *symbol)
{
	size_t length = strlen(symbol->linker_name);

	return length && symbol->linker_name[length - 1] == '_';
}

/* Programs refer to these all the time, no source declares them, and to find none takes longest. */
static bool is_linkers(const struct symbol *symbol)
{
	return !strcmp(symbol->linker_name, "_GLOBAL_OFFSET_TABLE_") ||
	       !strcmp(symbol->linker_name, "_DYNAMIC");
}

int module_variable(struct module *module, uint64_t address, struct variable *variable)
{
	const struct symbol *symbol;
	bool mangled;

	read_module(module);
	*variable = (struct variable) { 0 };
	symbol = symbol_table_variable(&module->table, address, &variable->low, &variable->high);
	if (!symbol)
		return -1;
	variable->address = symbol->address;
	variable->size = symbol->size;
	variable->common = is_common(symbol);
	if (module->dwarf.dwarf && !is_linkers(symbol)) {
		guard_enter(module->path);
		dwarf_file_variable(&module->dwarf, address,
				    symbol->local || variable->common, variable);
		guard_leave();
	}
	/* DWARF's is without the namespace. */
	mangled = !strncmp(symbol->linker_name, "_Z", 2) ||
		  !strncmp(symbol->linker_name, "_R", 2);
	if (!variable->name || mangled)
		variable->name = symbol->name;
	return 0;
}

char *module_pointed(struct module *module, uint64_t address, const char *name,
		     const struct layout **layout, uint64_t *bytes)
{
	char *pointed;

	*layout = NULL;
	*bytes = 0;
	read_module(module);
	if (!module->dwarf.dwarf)
		return NULL;
	guard_enter(module->path);
	pointed = dwarf_file_pointed(&module->dwarf, address, name, layout, bytes);
	guard_leave();
	return pointed;
}

void frame_layout_free(struct frame_layout *frame)
{
	for (size_t i = 0; i < frame->count; i++)
		free(frame->variables[i].type);
	free(frame->variables);
	free(frame);
}

struct frame_layout *module_frame(struct module *module, uint64_t address, int64_t bp)
{
	struct frame_layout *frame;
	const struct symbol *symbol;
	bool found;

	read_module(module);
	if (!module->file.elf || guard_damage(module->path))
		return NULL;
	frame = xcalloc(1, sizeof(*frame));
	guard_enter(module->path);
	found = dwarf_file_frame(&module->dwarf, module->file.elf, address, bp, frame);
	guard_leave();
	if (!found) {
		frame_layout_free(frame);
		return NULL;
	}
	symbol = frame->function ? NULL : symbol_table_function(&module->table, address);
	if (symbol)
		frame->function = symbol->name;
	return frame;
}
