// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "pads/plan.h"

/* What is left of a line. */
struct cursor {
	const char *at, *end;
};

struct word {
	const char *at;
	size_t size;			/* 0 = the line has ended */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct word next_word(struct cursor *line)
{
	struct word word;

	while (line->at < line->end && is_blank(*line->at))
		line->at++;
	word.at = line->at;
	while (line->at < line->end && !is_blank(*line->at))
		line->at++;
	word.size = line->at - word.at;
	return word;
}

static bool is(struct word word, const char *text)
{
	return word.size == strlen(text) && !memcmp(word.at, text, word.size);
}

/* Return: the digit's value, or 16 where it is none. */
static unsigned int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* Takes as many digits as there are. Return: false if there are none, or too many. */
static bool take_digits(struct word *word, unsigned int base, uint64_t *value)
{
	const char *begin = word->at;

	*value = 0;
	for (; word->size && digit(*word->at) < base; word->at++, word->size--)
		if (__builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, digit(*word->at), value))
			return false;
	return word->at > begin;
}

static bool take_number(struct word *word, uint64_t *value)
{
	if (word->size < 2 || word->at[0] != '0' || (word->at[1] | 0x20) != 'x')
		return take_digits(word, 10, value);
	word->at += 2;
	word->size -= 2;
	return take_digits(word, 16, value);
}

/* A number of bytes; K, M and G are powers of 1,024. */
static bool take_bytes(struct word *word, uint64_t *value)
{
	static const char suffixes[] = "KMG";
	const char *suffix;

	if (!take_number(word, value))
		return false;
	suffix = word->size ? memchr(suffixes, *word->at, sizeof(suffixes) - 1) : NULL;
	if (!suffix)
		return true;
	word->at++;
	word->size--;
	return !__builtin_mul_overflow(*value, 1ull << 10 * (suffix - suffixes + 1), value);
}

static bool whole_bytes(struct word word, uint64_t *value)
{
	return take_bytes(&word, value) && !word.size;
}

/* --- modules --- */

/* What would end a name, or a line, or would be read as another byte. */
static bool is_escaped(unsigned char c)
{
	return c <= ' ' || c == 0x7f || c == '#' || c == '\\';
}

size_t pads_name_escape(char *text, const char *name)
{
	const char *begin = text;

	for (; *name; name++) {
		unsigned char c = *name;

		if (is_escaped(c)) {
			*text++ = '\\';
			*text++ = '0' + (c >> 6);
			*text++ = '0' + (c >> 3 & 7);
			*text++ = '0' + (c & 7);
		} else {
			*text++ = c;
		}
	}
	*text = '\0';
	return text - begin;
}

/* A backslash that begins no escape stands for itself. */
static char take_byte(struct word *name)
{
	const char *at = name->at;
	size_t size = name->size > 3 && at[0] == '\\' && (at[1] & ~3) == '0' &&
		      (at[2] & ~7) == '0' && (at[3] & ~7) == '0' ? 4 : 1;

	name->at += size;
	name->size -= size;
	return size == 1 ? *at : (at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0');
}

static const char *read_name(char *name, struct word word)
{
	size_t size;

	for (size = 0; word.size && size < PADS_NAME_MOST; size++) {
		name[size] = take_byte(&word);
		if (!name[size])
			return "a name has no byte 0";
	}
	name[size] = '\0';
	return word.size ? "a name has at most 255 bytes" : NULL;
}

/* @module: set to its number; made if it is new */
static const char *find_module(struct pads_plan *plan, struct word word, uint32_t *module)
{
	char name[PADS_NAME_MOST + 1];
	const char *wrong = read_name(name, word);

	if (wrong)
		return wrong;
	/* Sites of one module mostly stand together. */
	for (*module = plan->module_count; *module > 0; )
		if (!strcmp(plan->modules[--*module].name, name))
			return NULL;
	if (plan->module_count == PADS_MODULES_MOST)
		return "there are too many modules (256 at most)";
	*module = plan->module_count++;
	plan->modules[*module].build_id_size = 0;
	strcpy(plan->modules[*module].name, name);
	return NULL;
}

static const char *parse_build_id(struct pads_module *module, struct word hex)
{
	uint32_t i;

	if (!hex.size || hex.size % 2 || hex.size / 2 > PADS_BUILD_ID_MOST)
		return "a build-id has 2 to 64 hexadecimal digits";
	for (i = 0; i < hex.size; i++) {
		unsigned int value = digit(hex.at[i]);

		if (value > 15)
			return "a build-id has hexadecimal digits only";
		module->build_id[i / 2] = module->build_id[i / 2] << 4 | value;
	}
	if (module->build_id_size)
		return "this module has a build-id already";
	module->build_id_size = hex.size / 2;
	return NULL;
}

static const char *parse_module(struct pads_plan *plan, struct cursor *line)
{
	struct word name = next_word(line);
	const char *wrong;
	uint32_t module;

	if (!name.size || !is(next_word(line), "build-id"))
		return "expected: module NAME build-id HEX";
	wrong = find_module(plan, name, &module);
	if (wrong)
		return wrong;
	if (plan->modules[module].build_id_size)
		return "this module has a build-id already";
	return parse_build_id(&plan->modules[module], next_word(line));
}

/* --- rules --- */

static const char *parse_sizes(struct pads_rule *rule, struct word sizes)
{
	if (!take_bytes(&sizes, &rule->least))
		return "expected a size: MIN or MIN-MAX, as in 128K-2M";
	rule->most = UINT64_MAX;
	if (sizes.size) {
		if (*sizes.at != '-')
			return "expected a size: MIN or MIN-MAX, as in 128K-2M";
		sizes.at++;
		sizes.size--;
		if (!whole_bytes(sizes, &rule->most))
			return "expected a size: MIN or MIN-MAX, as in 128K-2M";
	}
	if (rule->least < PADS_LEAST_BLOCK)
		return "blocks below 1984 bytes are not staggered";
	return rule->most < rule->least ? "the largest size is below the smallest" : NULL;
}

static const char *parse_align(struct pads_rule *rule, struct word text)
{
	uint64_t align;

	if (!whole_bytes(text, &align) || align < 16 || align > PADS_SPAN || align & (align - 1))
		return "align takes a power of two from 16 to 4096";
	rule->align = align;
	return NULL;
}

static const char *parse_first(struct pads_rule *rule, struct word text)
{
	uint64_t first;

	if (!whole_bytes(text, &first) || first >= PADS_SPAN)
		return "from takes a number below 4096";
	rule->first = first;
	return NULL;
}

static const char *parse_step(uint32_t *step, struct word text)
{
	uint64_t bytes;

	if (!whole_bytes(text, &bytes) || !bytes || bytes >= PADS_SPAN ||
	    bytes % PADS_GRAIN)
		return "stagger takes a multiple of 64 from 64 to 4032";
	*step = bytes;
	return NULL;
}

/* "[stagger BYTES [from NUMBER]] [align BYTES] [huge]" to the end of the line. */
static const char *parse_change(struct pads_rule *rule, struct cursor *line)
{
	struct word word = next_word(line);
	const char *wrong = NULL;

	if (is(word, "stagger")) {
		wrong = parse_step(&rule->step, next_word(line));
		word = next_word(line);
	}
	if (!wrong && rule->step && is(word, "from")) {
		wrong = parse_first(rule, next_word(line));
		word = next_word(line);
	}
	if (!wrong && is(word, "align")) {
		wrong = parse_align(rule, next_word(line));
		word = next_word(line);
	}
	if (is(word, "huge")) {
		rule->huge = true;
		word = next_word(line);
	}
	if (wrong)
		return wrong;
	if (word.size)
		return "expected: from NUMBER, align BYTES, huge, or the end of the line";
	if (rule->huge && rule->least < PADS_HUGE)
		return "blocks below 2 MiB have no huge page: give a size from 2M on";
	return rule->step || rule->huge ? NULL : "expected: stagger BYTES, or huge";
}

/* "size MIN[-MAX]", and what becomes of these. */
static const char *parse_rule(struct pads_rule *rule, struct cursor *line)
{
	const char *wrong;

	*rule = (struct pads_rule){ 0 };
	if (!is(next_word(line), "size"))
		return "expected: size MIN[-MAX] stagger BYTES";
	wrong = parse_sizes(rule, next_word(line));
	return wrong ? wrong : parse_change(rule, line);
}

static const char *parse_place(struct pads_plan *plan, struct pads_site *site, struct word place)
{
	struct word name = place;
	const char *plus;

	for (plus = place.at + place.size; plus > place.at && plus[-1] != '+'; plus--)
		;
	if (plus < place.at + 2)
		return "expected: site NAME+0xOFFSET";
	name.size = plus - 1 - place.at;
	place.size -= plus - place.at;
	place.at = plus;
	if (place.size < 3 || place.at[0] != '0' || !take_number(&place, &site->offset) ||
	    place.size)
		return "expected: site NAME+0xOFFSET, the offset in hexadecimal";
	return find_module(plan, name, &site->module);
}

static const char *parse_site(struct pads_plan *plan, struct cursor *line)
{
	struct pads_site *site = &plan->sites[plan->site_count];
	const char *wrong;

	if (plan->site_count == PADS_SITES_MOST)
		return "there are too many sites (4096 at most)";
	wrong = parse_place(plan, site, next_word(line));
	if (!wrong)
		wrong = parse_rule(&site->rule, line);
	if (!wrong)
		plan->site_count++;
	return wrong;
}

static const char *parse_all(struct pads_plan *plan, struct cursor *line)
{
	if (plan->has_all)
		return "'all' stands here for the second time";
	plan->has_all = true;
	return parse_rule(&plan->all, line);
}

/* "stagger BYTES" */
static const char *parse_stacks(struct pads_plan *plan, struct cursor *line)
{
	if (plan->stack_step)
		return "'stacks' stands here for the second time";
	if (!is(next_word(line), "stagger"))
		return "expected: stacks stagger BYTES";
	return parse_step(&plan->stack_step, next_word(line));
}

/* --- lines --- */

static const char *parse_line(struct pads_plan *plan, struct cursor line)
{
	const char *comment = memchr(line.at, '#', line.end - line.at);
	const char *wrong;
	struct word word;

	if (comment)
		line.end = comment;
	word = next_word(&line);
	if (!word.size)
		return NULL;
	if (is(word, "site"))
		wrong = parse_site(plan, &line);
	else if (is(word, "module"))
		wrong = parse_module(plan, &line);
	else if (is(word, "all"))
		wrong = parse_all(plan, &line);
	else if (is(word, "stacks"))
		wrong = parse_stacks(plan, &line);
	else
		return "a line begins with site, module, all or stacks";
	if (!wrong && next_word(&line).size)
		return "there is more on the line than is understood";
	return wrong;
}

const char *pads_plan_parse(struct pads_plan *plan, const char *text, size_t size, uint32_t *line)
{
	const char *end = text + size, *at = text, *wrong;

	plan->module_count = plan->site_count = 0;
	plan->has_all = false;
	plan->stack_step = 0;
	for (*line = 1; at < end; (*line)++) {
		const char *feed = memchr(at, '\n', end - at);

		wrong = parse_line(plan, (struct cursor){ at, feed ? feed : end });
		if (wrong)
			return wrong;
		at = feed ? feed + 1 : end;
	}
	return NULL;
}

void pads_plan_default(struct pads_plan *plan)
{
	plan->module_count = plan->site_count = 0;
	plan->has_all = true;
	plan->stack_step = 0;
	plan->all = (struct pads_rule){ .least = PADS_DEFAULT_LEAST, .most = UINT64_MAX,
					.step = PADS_GRAIN };
}

size_t pads_plan_least(const struct pads_plan *plan)
{
	size_t least = plan->has_all ? plan->all.least : SIZE_MAX;
	uint32_t i;

	for (i = 0; i < plan->site_count; i++)
		if (plan->sites[i].rule.least < least)
			least = plan->sites[i].rule.least;
	return least;
}
