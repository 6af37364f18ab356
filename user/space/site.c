// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/array.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "program/library-code.h"
#include "program/source-line.h"
#include "space/site.h"

#define CALLERS_MOST	3	/* shown after a wrapper */

enum frame_class {
	FRAME_LIBRARY,		/* somebody else's code */
	FRAME_CXX,		/* the C++ library's */
	FRAME_WRAPPER,		/* the program's, but only an allocator */
	FRAME_PROGRAM,
};

/* A function at an instruction: the one that it lies in, or one that was inlined there. */
struct level {
	enum frame_class class;
	char *function;		/* "make_grid"; the module's name where that is unknown */
	char *where;		/* "stencil.c:41", else "make_grid+0x1c", "libgrid.so+0x410" */
	const char *source, *directory;
	uint32_t line;
	uint32_t column;
	bool constructor;
	size_t number;		/* of the calls seen on that line */
};

struct frame {
	struct module *module;
	uint64_t address;
	struct level *levels;	/* innermost first */
	size_t count;
};

struct sites {
	struct objects *objects;
	struct sources *sources;
	struct map by_address;	/* index + 1 in @frames */
	struct map calls;	/* hash of a line -> calls on it that were seen */
	const char *wrappers;	/* names of functions, comma-separated; NULL = none */
	struct frame **frames;
	size_t count;
	size_t capacity;
};

struct sites *sites_new(struct objects *objects)
{
	struct sites *sites = xcalloc(1, sizeof(*sites));

	sites->objects = objects;
	sites->sources = sources_new();
	return sites;
}

void sites_set_wrappers(struct sites *sites, const char *names)
{
	sites->wrappers = names;
}

void sites_free(struct sites *sites)
{
	for (size_t i = 0; i < sites->count; i++) {
		struct frame *frame = sites->frames[i];

		for (size_t l = 0; l < frame->count; l++) {
			free(frame->levels[l].function);
			free(frame->levels[l].where);
		}
		free(frame->levels);
		free(frame);
	}
	free(sites->frames);
	map_free(&sites->by_address);
	map_free(&sites->calls);
	sources_free(sites->sources);
	free(sites);
}

/* Modules that allocate for others. A file's name may go on with ".", "-" or a number. */
static bool library_module(const char *path)
{
	static const char *const names[] = {
		"libc", "libstdc++", "libc++", "libc++abi", "ld-linux-x86-64", "ld", "libpthread",
		"ld-musl-x86_64", "libgcc_s", "libjemalloc", "libtcmalloc", "libtcmalloc_minimal",
		"libmimalloc", "libasan", "libtsan", "libubsan", "libccsample-native",
	};
	const char *base = base_name(path);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t size = strlen(names[i]);

		if (!strncmp(base, names[i], size) &&
		    (!strncmp(base + size, ".so", 3) ||
		     (base[size] == '-' && isdigit((unsigned char)base[size + 1]))))
			return true;
	}
	return !strncmp(base, "vgpreload_", 10) || strstr(path, "/libexec/ccsample/") != NULL;
}

/* The allocators themselves: in a static binary they lie among the program's code. */
static bool library_function(const char *name)
{
	static const char *const names[] = {
		"malloc", "calloc", "realloc", "reallocarray", "memalign", "posix_memalign",
		"aligned_alloc", "valloc", "pvalloc", "free", "mmap", "mmap64", "mremap",
		"strdup", "strndup", "asprintf", "vasprintf", "getline", "getdelim", "fopen",
		"fdopen", "fopen64", "opendir", "qsort", "qsort_r", "_int_malloc",
		"_int_realloc", "_int_memalign", "sysmalloc", "tcache_init", "malloc_consolidate",
	};
	static const char *const starts[] = {
		"__libc_", "_IO_", "__GI_", "__strdup", "__strndup", "_dl_", "__malloc",
		"operator new", "std::", "__gnu_cxx::", "__cxa_", "__interceptor_",
		"alloc::", "<alloc::", "core::", "<core::", "<std::", "hashbrown::",
		"<hashbrown::", "__rust_", "__rdl_", "__rg_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* How long a C++ name is without its arguments; where its last two blanks and colons are. */
static size_t without_arguments(const char *name, size_t *after_blank, size_t *after_colon)
{
	static const char nameless[] = "(anonymous namespace)", own[] = "operator";
	size_t at = 0;
	int depth = 0;

	*after_blank = *after_colon = 0;
	while (name[at]) {
		if (!strncmp(name + at, nameless, strlen(nameless))) {
			at += strlen(nameless);
			continue;
		}
		if (!depth && !strncmp(name + at, own, strlen(own))) {
			at += strlen(own);
			at += name[at] == '(' ? 2 : strcspn(name + at, "(");
			break;
		}
		if (name[at] == '(' && !depth)
			break;
		depth += name_bracket(name, name + at);
		at++;
		if (!depth && name[at - 1] == ' ')
			*after_blank = *after_colon = at;
		else if (!depth && name[at - 1] == ':')
			*after_colon = at;
	}
	return at;
}

/* Passes over a return type: "double* std::f<int>(int)". */
static const char *qualified(const char *name, size_t *size)
{
	size_t blank, colon, end = without_arguments(name, &blank, &colon);

	*size = end - blank;
	return name + blank;
}

/* Only the last part of a C++ name counts: "Arena::alloc", not "Allocator::close". */
static bool wrapper(const char *name)
{
	size_t blank, colon, end = without_arguments(name, &blank, &colon);
	size_t size = strcspn(name + colon, "<(");

	return word_allocates(name + colon, size < end - colon ? size : end - colon);
}

static enum frame_class class_of(const char *module, const struct location *location)
{
	size_t size;
	const char *function = location->function ? qualified(location->function, &size) : "";

	if (library_module(module))
		return strstr(base_name(module), "c++") ? FRAME_CXX : FRAME_LIBRARY;
	if (!strncmp(function, "std::", 5) || !strncmp(function, "__gnu_cxx::", 11) ||
	    !strncmp(function, "operator new", 12) ||
	    library_source(location->source))
		return FRAME_CXX;
	if (library_function(function))
		return FRAME_LIBRARY;
	return location->function && wrapper(location->function) ? FRAME_WRAPPER : FRAME_PROGRAM;
}

/* "stencil.c:41": people know their files by the last part of the path. */
static char *place_text(const struct location *location)
{
	return xasprintf("%s:%" PRIu32, base_name(location->file), location->line);
}

/* Fills in the function's name, and where in it, or in the module. */
static void name_place(struct level *level, const struct code *code,
		       const struct location *location)
{
	const char *module = base_name(module_path(code->module)), *name = NULL;
	size_t size;

	if (location->function)
		name = qualified(location->function, &size);
	level->function = name ? xasprintf("%.*s", (int)size, name) : xstrdup(module);
	if (location->file && location->line)
		level->where = place_text(location);
	else if (name && location->entry && code->address >= location->entry)
		level->where = xasprintf("%s+0x%" PRIx64, level->function,
					 code->address - location->entry);
	else
		level->where = xasprintf("%s+0x%" PRIx64, module, code->address);
}

static struct source_place place_of(const struct level *level, struct module *module)
{
	return (struct source_place) {
		.directory = level->directory, .path = level->source, .line = level->line,
		.time = module_time(module),
	};
}

static bool is_listed(const char *list, const char *name, size_t size)
{
	for (; list && *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == size && !strncmp(list, name, size))
			return true;
	return false;
}

/* Does it only allocate for its caller? Then the caller's variable is what people know. */
static bool allocates_for_caller(struct sites *sites, const struct level *level,
				 struct module *module, const struct source_call *by)
{
	struct source_place place = place_of(level, module);
	char *name;
	bool returned;

	if (is_listed(sites->wrappers, level->function, strlen(level->function)))
		return true;
	if (level->class != FRAME_PROGRAM || !place.path || level->constructor)
		return false;
	name = sources_variable(sites->sources, &place, by);
	returned = sources_returned(sites->sources, &place, name, by);
	free(name);
	return returned;
}

/* Which of the calls on its line this is, in the order in which they are first seen. */
static size_t number_call(struct sites *sites, const struct level *level)
{
	uint64_t hash;

	if (!level->source)
		return 0;
	hash = XXH3_64bits_withSeed(level->source, strlen(level->source), level->line);
	hash = XXH3_64bits_withSeed(level->function, strlen(level->function), hash);
	return (*map_at(&sites->calls, hash))++;
}

/* "vec" of "Pool::vec<double>(int)". */
static const char *last_part(const char *function)
{
	size_t blank, colon;

	without_arguments(function, &blank, &colon);
	return function + colon;
}

/* "Grid::Grid", "ns::Tensor<double>::Tensor": the name of the class once more. */
static bool is_constructor(const char *function)
{
	const char *last = last_part(function), *before = last - 2;
	size_t size = strcspn(last, "<(");
	int depth = 0;

	if (last - function < 2)
		return false;
	while (before > function && (depth || before[-1] == '>'))
		depth -= name_bracket(function, --before);
	return (size_t)(before - function) >= size && !strncmp(before - size, last, size) &&
	       (before - size == function || !of_word(before[-size - 1]));
}

static void read_frame(struct sites *sites, struct frame *frame, const struct code *code)
{
	const char *path = module_path(code->module);
	struct location chain[MODULE_INLINES] = { 0 };
	struct level *level;

	frame->count = 1;
	/* No debug information is needed to pass over the C library. */
	if (!library_module(path))
		frame->count = module_inlines(code->module, code->address, chain, MODULE_INLINES);
	if (!frame->count)
		frame->count = 1;
	frame->levels = xcalloc(frame->count, sizeof(*frame->levels));
	for (size_t i = 0; i < frame->count; i++) {
		level = &frame->levels[i];
		level->class = class_of(path, &chain[i]);
		name_place(level, code, &chain[i]);
		level->source = chain[i].source;
		level->directory = chain[i].directory;
		level->line = chain[i].line;
		level->column = chain[i].column;
		level->constructor = is_constructor(level->function);
		level->number = number_call(sites, level);
	}
}

static const struct frame *frame_of(struct sites *sites, const struct code *code)
{
	uint64_t key = code->address * 0x9e3779b97f4a7c15u ^ (uintptr_t)code->module, *index;
	struct frame *frame;

	for (;; key++) {
		index = map_at(&sites->by_address, key);
		if (!*index)
			break;
		frame = sites->frames[*index - 1];
		if (frame->module == code->module && frame->address == code->address)
			return frame;
	}
	frame = xcalloc(1, sizeof(*frame));
	frame->module = code->module;
	frame->address = code->address;
	sites->frames = grow(sites->frames, sites->count, &sites->capacity,
			     sizeof(*sites->frames));
	sites->frames[sites->count++] = frame;
	*index = sites->count;
	read_frame(sites, frame, code);
	return frame;
}

/* A site while its frames are walked outwards. */
struct naming {
	struct module *module;		/* of the site; NULL = none found yet */
	uint64_t address;		/* the same */
	const struct level *level;	/* whose line it is */
	char *chain;			/* "xmalloc util.c:10 < make_grid stencil.c:41" */
	size_t callers;
	struct source_call by;		/* what that line calls */
	bool finished;
};

static void name_level(struct sites *sites, struct naming *naming, const struct code *code,
		       const struct level *level)
{
	char *longer;

	if (level->class == FRAME_CXX && !naming->level)
		naming->by.library = true;
	if (level->class < FRAME_WRAPPER)
		return;
	if (naming->level) {
		longer = xasprintf("%s < %s %s", naming->chain, level->function, level->where);
		free(naming->chain);
		naming->chain = longer;
		naming->by.library = false;
		naming->by.function = last_part(naming->level->function);
		naming->callers++;
	} else {
		naming->chain = xasprintf("%s %s", level->function, level->where);
	}
	naming->module = code->module;
	naming->address = code->address;
	naming->level = level;
	naming->by.number = level->number;
	naming->by.column = level->constructor ? level->column : 0;
	naming->finished = naming->callers == CALLERS_MOST ||
			   (level->class == FRAME_PROGRAM &&
			    !allocates_for_caller(sites, level, code->module, &naming->by));
}

static struct object *unnamed(struct sites *sites, enum object_kind kind,
			      const struct code *frames, size_t depth)
{
	const char *text = kind == OBJECT_HEAP ? "[block]" : "[mapping]";
	struct object *object;
	size_t i = 0;
	char *name;

	while (i < depth && !frames[i].module)
		i++;
	if (i == depth)
		return objects_find(sites->objects, kind, text, "", "");
	name = xasprintf("%s of %s", text, base_name(module_path(frames[i].module)));
	object = objects_of_module(sites->objects, kind, name, "", frames[i].module);
	free(name);
	return object;
}

static void set_type(struct object *object, const struct naming *naming, const char *variable)
{
	const struct layout *layout;
	uint64_t bytes;

	object_set_type(object, module_pointed(naming->module, naming->address, variable, &layout,
					       &bytes));
	if (!object->layout)
		object->layout = layout;
	if (!object->element)
		object->element = bytes;
}

/* Which call allocates: operator new calls malloc() in the C++ library. */
static void add_call(struct object *object, const struct code *frames, size_t depth)
{
	size_t at = 0;

	while (at < depth && frames[at].module && library_module(module_path(frames[at].module)) &&
	       strstr(base_name(module_path(frames[at].module)), "c++"))
		at++;
	if (at < depth && frames[at].module)
		object_add_call(object, &frames[at]);
}

struct object *sites_object(struct sites *sites, enum object_kind kind,
			    const struct code *frames, size_t depth)
{
	struct naming naming = { 0 };
	struct source_place place;
	const struct frame *frame;
	struct object *object;
	char *variable = NULL, *name;

	for (size_t i = 0; i < depth && !naming.finished; i++) {
		if (!frames[i].module)
			continue;
		frame = frame_of(sites, &frames[i]);
		for (size_t l = 0; l < frame->count && !naming.finished; l++)
			name_level(sites, &naming, &frames[i], &frame->levels[l]);
	}
	if (!naming.level)
		return unnamed(sites, kind, frames, depth);
	place = place_of(naming.level, naming.module);
	if (place.path)
		variable = sources_variable(sites->sources, &place, &naming.by);
	name = variable ? variable :
	       xasprintf("%s of %s", kind == OBJECT_HEAP ? "block" : "mapping",
			 naming.level->function);
	object = objects_of_module(sites->objects, kind, name, naming.level->where, naming.module);
	add_call(object, frames, depth);
	if (variable)
		set_type(object, &naming, variable);
	object_set_chain(object, naming.chain);
	free(name);
	return object;
}
