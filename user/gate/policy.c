// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text-lines.h"
#include "gate/check.h"

#define SHARE		0.01
#define CONFLICT_UP	0.05
#define MISSES_UP	0.10
#define BLANKS		" \t\r\n"
#define TEXT_MOST	(1u << 20)	/* bytes */

void check_policy_default(struct check_policy *policy)
{
	*policy = (struct check_policy){
		.share = SHARE, .conflict_up = CONFLICT_UP, .misses_up = MISSES_UP,
	};
	for (size_t i = 0; i < CHECK_KINDS; i++)
		policy->fails[i] = true;
	for (size_t i = 0; i < FINDINGS_LEVELS; i++)
		policy->levels[i] = true;
}

void check_policy_drop(struct check_policy *policy)
{
	for (size_t i = 0; i < policy->ignore_count; i++) {
		free(policy->ignores[i].pattern);
		free(policy->ignores[i].reason);
	}
	free(policy->ignores);
}

int check_policy_kinds(struct check_policy *policy, const char *option, const char *kinds)
{
	char *copy = xstrdup(kinds), *rest = copy, *word;
	int status = 0;
	size_t kind;

	if (!kinds[strspn(kinds, ", \t")])
		status = fail("%s: nothing is named, and nothing would ever fail: give "
			      "new-conflict, conflict-up or misses-up", option);
	for (kind = 0; kind < CHECK_KINDS; kind++)
		policy->fails[kind] = false;
	while (!status && (word = strsep(&rest, ", \t"))) {
		for (kind = 0; kind < CHECK_KINDS && strcmp(word, check_kind_name(kind)); kind++)
			;
		if (kind < CHECK_KINDS)
			policy->fails[kind] = true;
		else if (*word)
			status = fail("%s: expected new-conflict, conflict-up or misses-up, with "
				      "commas, not '%s'", option, word);
	}
	free(copy);
	return status;
}

/* "5%" or "0.05". */
static bool read_part(const char *text, double *part)
{
	char *number = xstrdup(text);
	size_t size = strlen(number);
	bool percent = size && number[size - 1] == '%', good;

	if (percent)
		number[size - 1] = '\0';
	good = read_real(number, part) && *part >= 0;
	if (percent)
		*part /= 100;
	free(number);
	return good;
}

static int take_levels(struct check_policy *policy, const char *where, char *text)
{
	char *word;

	for (size_t i = 0; i < FINDINGS_LEVELS; i++)
		policy->levels[i] = false;
	while ((word = strsep(&text, ", \t"))) {
		if (!*word)
			continue;
		if (word[1] || *word < '1' || *word >= '1' + FINDINGS_LEVELS)
			return fail("%s: levels are 1, 2 and 3, not '%s'", where, word);
		policy->levels[*word - '1'] = true;
	}
	return 0;
}

static int take_ignore(struct check_policy *policy, const char *where, char *text)
{
	size_t size = strcspn(text, BLANKS), more = size + strspn(text + size, BLANKS);
	struct check_ignore *ignore;

	if (!text[more])
		return fail("%s: ignore takes a pattern and a reason: ignore lookup_* hashing, "
			    "nothing to pad", where);
	policy->ignores = xrealloc(policy->ignores,
				   (policy->ignore_count + 1) * sizeof(*policy->ignores));
	ignore = &policy->ignores[policy->ignore_count++];
	ignore->pattern = strndup(text, size);
	ignore->reason = xstrdup(text + more);
	return 0;
}

static int take_line(struct check_policy *policy, const char *where, char *line)
{
	const struct {
		const char *name;
		double *part;
	} parts[] = {
		{ "share", &policy->share }, { "conflict-up", &policy->conflict_up },
		{ "misses-up", &policy->misses_up },
	};
	size_t size = strcspn(line, BLANKS), i;
	char *value = line + size + strspn(line + size, BLANKS);

	line[size] = '\0';
	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (!strcmp(line, parts[i].name))
			return read_part(value, parts[i].part) ? 0 :
			       fail("%s: %s takes a part, as in 5%%, not '%s'", where, line, value);
	if (!strcmp(line, "fail-on"))
		return check_policy_kinds(policy, where, value);
	if (!strcmp(line, "levels"))
		return take_levels(policy, where, value);
	if (!strcmp(line, "ignore"))
		return take_ignore(policy, where, value);
	return fail("%s: expected fail-on, levels, share, conflict-up, misses-up or ignore, not "
		    "'%s'", where, line);
}

static int take_text(struct check_policy *policy, const struct text_lines *lines)
{
	char *text = lines->text + strspn(lines->text, BLANKS), *where;
	size_t end = strlen(text);
	int status;

	while (end && strchr(BLANKS, text[end - 1]))
		end--;
	text[end] = '\0';
	if (!*text || *text == '#')
		return 0;
	where = xasprintf("%s:%u", lines->path, lines->number);
	status = take_line(policy, where, text);
	free(where);
	return status;
}

int check_policy_read(struct check_policy *policy, const char *path)
{
	struct text_lines lines;
	int status = 0;

	if (text_lines_open(&lines, path, "policy", TEXT_MOST))
		return -1;
	while (!status && text_lines_next(&lines))
		status = take_text(policy, &lines);
	return text_lines_close(&lines) || status ? -1 : 0;
}
