// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/reserved.h"
#include "base/temporary.h"
#include "format/pass.h"
#include "output/gnuplot.h"
#include "output/text.h"

extern char **environ;

/* Terminals: sizes in pixels of the SVG; a PDF has 112 of them to an inch, a PNG is finer by 3. */
static const struct format {
	const char *extension;
	const char *terminal;
	double scale;
	const char *unit;
	const char *look;
	double spacing;		/* of the legend's lines: terminals differ */
	const char *end;	/* of a whole file, but for line ends */
} formats[] = {
	{ ".svg", "svg", 1, "", "font 'sans-serif,13' background '#ffffff'", 0.9, "</svg>" },
	{ ".png", "pngcairo", 3, "", "font 'sans,29' linewidth 3 pointscale 3", 1.15,
	  "IEND\xae\x42\x60\x82" },
	{ ".pdf", "pdfcairo", 1.0 / 112, "in", "font 'sans,8.5'", 1.15, "%%EOF" },
};

static const struct format *format_of(const char *out)
{
	size_t size = strlen(out);

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		size_t extension = strlen(formats[i].extension);

		if (size > extension && out[size - extension - 1] != '/' &&
		    !strcasecmp(out + size - extension, formats[i].extension))
			return &formats[i];
	}
	return NULL;
}

int picture_check(const char *out)
{
	for (const char *at = out; at && *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			return fail("cannot draw '%s': gnuplot takes no file names with control "
				    "characters", out);
	return !out || format_of(out) ? result_may_replace(out) :
	       fail("cannot draw '%s': the extension must be .svg, .png or .pdf", out);
}

/*
 * Whatever gnuplot might take for something else is written in octal: it would run `commands`
 * in double quotes, misreads '''' in single ones (5.4), and ends a command with the line.
 */
static void quote(FILE *script, const char *text)
{
	fputc('"', script);
	for (; *text; text++) {
		if (strchr("\"'`\\$@#{}", *text) || (unsigned char)*text < 0x20 || *text == 0x7f)
			fprintf(script, "\\%03o", (unsigned char)*text);
		else
			fputc(*text, script);
	}
	fputc('"', script);
}

const char *picture_colour(size_t number)
{
	/* Okabe and Ito's palette without the yellow, which cannot be read on white. */
	static const char *const colours[PICTURE_COLOURS] = {
		"#D55E00", "#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000",
	};

	return colours[number % PICTURE_COLOURS];
}

void picture_quote(FILE *script, const char *text)
{
	char *clean = text_clean(text);

	quote(script, clean);
	free(clean);
}

/* A path that gnuplot takes for nothing else: it would pipe from "< x", and into "| x". */
static char *plain_path(const char *path)
{
	return xasprintf("%s%s", path[0] == '/' ? "" : "./", path);
}

/* Its path, allocated; NULL = there is none. */
static char *find_gnuplot(void)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t size = strcspn(path, ":");
		char *file = xasprintf("%.*s/gnuplot", (int)size, path);

		if (size && !access(file, X_OK))
			return file;
		free(file);
		path += size + (path[size] == ':');
	}
	return NULL;
}

static int reserve_kept(const struct picture_options *options)
{
	char *data = xasprintf("%s.dat", options->out), *script = xasprintf("%s.gp", options->out);
	int status = reserve_file(data);

	if (!status)
		status = reserve_file(script);
	free(data);
	free(script);
	return status;
}

int picture_reserve(const struct picture_options *options)
{
	char *gnuplot = find_gnuplot();
	int status = 0;

	if (options->keep || !gnuplot)
		status = reserve_kept(options);
	if (!status && gnuplot) {
		reserve_program(gnuplot);
		status = reserve_file(options->out);
	}
	if (!status)
		status = reserve_directory();
	free(gnuplot);
	return status;
}

static int open_files(struct picture *picture)
{
	if (output_file_open(&picture->data_file, picture->data_path) < 0)
		return -1;
	picture->data = picture->data_file.stream;
	if (output_file_open(&picture->script_file, picture->script_path) < 0)
		return -1;
	picture->script = picture->script_file.stream;
	return 0;
}

static int make_directory(struct picture *picture)
{
	picture->directory = reserved_directory() ? xstrdup(reserved_directory()) :
						    temporary_directory("plot");
	return picture->directory ? 0 : -1;
}

static int choose_paths(struct picture *picture)
{
	if (make_directory(picture) < 0)
		return -1;
	picture->errors_path = xasprintf("%s/errors", picture->directory);
	if (picture->kept) {
		picture->data_path = xasprintf("%s.dat", picture->out);
		picture->script_path = xasprintf("%s.gp", picture->out);
	} else {
		picture->data_path = xasprintf("%s/data", picture->directory);
		picture->script_path = xasprintf("%s/script", picture->directory);
	}
	return 0;
}

static void clean_up(struct picture *picture)
{
	if (picture->data)
		output_file_drop(&picture->data_file);
	if (picture->script)
		output_file_drop(&picture->script_file);
	if (picture->directory && !picture->kept) {
		unlink(picture->data_path);
		unlink(picture->script_path);
	}
	/* One that was reserved is the parent's to remove. */
	if (picture->directory) {
		unlink(picture->errors_path);
		rmdir(picture->directory);
	}
	free(picture->directory);
	free(picture->errors_path);
	free(picture->data_path);
	free(picture->script_path);
}

/* The script may be run again by hand: then it writes the picture itself. */
static void begin_script(struct picture *picture, int width, int height)
{
	const struct format *format = format_of(picture->out);
	char *out = plain_path(picture->out), *data = plain_path(picture->data_path);
	FILE *script = picture->script;

	fprintf(script, "set encoding utf8\n"
		"set terminal %s size %g%s,%g%s %s noenhanced\n", format->terminal,
		width * format->scale, format->unit, height * format->scale, format->unit,
		format->look);
	fprintf(script, "legend_spacing = %g\n", format->spacing);
	fputs("if (!exists('output')) output = ", script);
	quote(script, out);
	fputs("\nset output output\nif (!exists('data')) data = ", script);
	quote(script, data);
	fputc('\n', script);
	free(out);
	free(data);
}

int picture_begin(struct picture *picture, const struct picture_options *options, int width,
		  int height)
{
	char *gnuplot;

	memset(picture, 0, sizeof(*picture));
	picture->out = options->out;
	gnuplot = find_gnuplot();
	picture->runnable = gnuplot;
	free(gnuplot);
	picture->svg = !strcmp(format_of(options->out)->extension, ".svg");
	picture->kept = options->keep || !picture->runnable;
	if (choose_paths(picture) < 0 || open_files(picture) < 0) {
		clean_up(picture);
		return -1;
	}
	begin_script(picture, width, height);
	return 0;
}

#define DATA_FD	3	/* gnuplot's, where the data has no name yet */

static char *script_to_open(const struct picture *picture)
{
	return reserved_is(&picture->script_file) ?
	       xasprintf("/proc/self/fd/%d", fileno(picture->script_file.stream)) :
	       xstrdup(picture->script_path);
}

/* Starts gnuplot on the script, the picture going to @picture_fd, its complaints to @errors. */
static int spawn(const struct picture *picture, int picture_fd, int errors, pid_t *pid)
{
	char *script = script_to_open(picture), *assign = "output = '/proc/self/fd/1'";
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, script, O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, picture_fd, 1);
	posix_spawn_file_actions_adddup2(&actions, errors, 2);
	if (reserved_is(&picture->data_file)) {
		posix_spawn_file_actions_adddup2(&actions, fileno(picture->data_file.stream),
						 DATA_FD);
		assign = "output = '/proc/self/fd/1'; data = '/proc/self/fd/3'";
	}
	error = posix_spawnp(pid, "gnuplot", &actions, NULL,
			     (char *[]){ "gnuplot", "-d", "-e", assign, "-", NULL }, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(script);
	return error ? fail("cannot run gnuplot: %s", strerror(error)) : 0;
}

/* The last line that says something: gnuplot puts the reason there. */
static char *last_line(FILE *errors)
{
	char *buffer = NULL, *last = xstrdup("no reason given");
	size_t capacity = 0;

	rewind(errors);
	while (getline(&buffer, &capacity, errors) > 0) {
		size_t blank = strspn(buffer, " \t\n");

		if (!buffer[blank])
			continue;
		free(last);
		last = text_clean(buffer + blank);
		last[strcspn(last, "\n")] = '\0';
	}
	free(buffer);
	return last;
}

static int wait_for(pid_t pid, FILE *errors, const char *out)
{
	int status;
	char *reason;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail("cannot wait for gnuplot: %s", strerror(errno));
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	reason = last_line(errors);
	fail("gnuplot cannot draw %s: %s", out, reason);
	free(reason);
	return -1;
}

#define TAIL	64	/* bytes, of which the format's end is a part */

struct tail {
	char bytes[2 * TAIL];
	size_t used;
};

static void add_tail(struct tail *tail, const char *bytes, size_t size)
{
	size_t kept = size < TAIL ? size : TAIL;

	if (tail->used + kept > sizeof(tail->bytes)) {
		memmove(tail->bytes, tail->bytes + tail->used - TAIL, TAIL);
		tail->used = TAIL;
	}
	memcpy(tail->bytes + tail->used, bytes + size - kept, kept);
	tail->used += kept;
}

/* Gnuplot ends with status 0 where it could not write all: what is whole has an end. */
static bool has_end(const struct tail *tail, const char *end)
{
	size_t used = tail->used, size = strlen(end);

	while (used && strchr("\r\n", tail->bytes[used - 1]))
		used--;
	return used >= size && !memcmp(tail->bytes + used - size, end, size);
}

/* What gnuplot writes, until it ends. */
static void copy(int from, FILE *to, struct tail *tail)
{
	char buffer[16384];
	ssize_t got;

	while ((got = read(from, buffer, sizeof(buffer))) > 0 || (got < 0 && errno == EINTR)) {
		if (got < 0)
			continue;
		fwrite(buffer, 1, got, to);
		add_tail(tail, buffer, got);
	}
}

static int draw(const struct picture *picture, struct output_file *file, FILE *errors)
{
	struct tail tail = { .used = 0 };
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return fail("cannot run gnuplot: %s", strerror(errno));
	if (spawn(picture, ends[1], fileno(errors), &pid) < 0) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	close(ends[1]);
	copy(ends[0], file->stream, &tail);
	close(ends[0]);
	if (wait_for(pid, errors, picture->out) < 0)
		return -1;
	return has_end(&tail, format_of(picture->out)->end) ? 0 :
	       fail("gnuplot did not finish %s: is there room for temporary files?", picture->out);
}

static int run(const struct picture *picture)
{
	struct output_file file;
	FILE *errors = fopen(picture->errors_path, "w+e");
	int status = -1;

	if (!errors)
		return fail("cannot make a temporary file: %s", strerror(errno));
	if (output_file_open(&file, picture->out) < 0)
		goto out;
	status = draw(picture, &file, errors);
	if (status < 0)
		output_file_drop(&file);
	else
		status = output_file_finish(&file);
out:
	fclose(errors);
	return status;
}

int picture_end(struct picture *picture)
{
	int status = output_file_finish(&picture->data_file);

	picture->data = NULL;
	if (!status) {
		status = output_file_finish(&picture->script_file);
		picture->script = NULL;
	}
	if (!status && !picture->runnable)
		status = fail("there is no gnuplot to draw %s with: install gnuplot-nox; data and "
			      "script are in %s and %s", picture->out, picture->data_path,
			      picture->script_path);
	else if (!status)
		status = run(picture);
	clean_up(picture);
	return status;
}
