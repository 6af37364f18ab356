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
} formats[] = {
	{ ".svg", "svg", 1, "", "font 'sans-serif,13' background '#ffffff'", 0.9 },
	{ ".png", "pngcairo", 3, "", "font 'sans,29' linewidth 3 pointscale 3", 1.15 },
	{ ".pdf", "pdfcairo", 1.0 / 112, "in", "font 'sans,8.5'", 1.15 },
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
	return !out || format_of(out) ? 0 :
	       fail("cannot draw '%s': the extension must be .svg, .png or .pdf", out);
}

/*
 * Whatever gnuplot might take for something else is written in octal: it would
 * run `commands` in double quotes, and misreads '''' in single ones (5.4).
 */
static void quote(FILE *script, const char *text)
{
	fputc('"', script);
	for (; *text; text++) {
		if (strchr("\"'`\\$@#{}", *text))
			fprintf(script, "\\%03o", *text);
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

static bool have_gnuplot(void)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t size = strcspn(path, ":");
		char *file = xasprintf("%.*s/gnuplot", (int)size, path);
		bool found = size && !access(file, X_OK);

		free(file);
		if (found)
			return true;
		path += size + (path[size] == ':');
	}
	return false;
}

static int open_files(struct picture *picture)
{
	picture->data = fopen(picture->data_path, "we");
	if (!picture->data)
		return fail("cannot write %s: %s", picture->data_path, strerror(errno));
	picture->script = fopen(picture->script_path, "we");
	if (!picture->script)
		return fail("cannot write %s: %s", picture->script_path, strerror(errno));
	return 0;
}

static int choose_paths(struct picture *picture)
{
	const char *temporary = getenv("TMPDIR");

	if (picture->kept) {
		picture->data_path = xasprintf("%s.dat", picture->out);
		picture->script_path = xasprintf("%s.gp", picture->out);
		return 0;
	}
	picture->directory = xasprintf("%s/ccsample-plot-XXXXXX",
				       temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(picture->directory)) {
		fail("cannot make a directory %s: %s", picture->directory, strerror(errno));
		free(picture->directory);
		picture->directory = NULL;
		return -1;
	}
	picture->data_path = xasprintf("%s/data", picture->directory);
	picture->script_path = xasprintf("%s/script", picture->directory);
	return 0;
}

static void clean_up(struct picture *picture)
{
	if (picture->data)
		fclose(picture->data);
	if (picture->script)
		fclose(picture->script);
	if (picture->directory) {
		unlink(picture->data_path);
		unlink(picture->script_path);
		rmdir(picture->directory);
	}
	free(picture->directory);
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
	fputs("\nset output output\ndata = ", script);
	quote(script, data);
	fputc('\n', script);
	free(out);
	free(data);
}

int picture_begin(struct picture *picture, const struct picture_options *options, int width,
		  int height)
{
	memset(picture, 0, sizeof(*picture));
	picture->out = options->out;
	picture->runnable = have_gnuplot();
	picture->svg = !strcmp(format_of(options->out)->extension, ".svg");
	picture->kept = options->keep || !picture->runnable;
	if (choose_paths(picture) < 0 || open_files(picture) < 0) {
		clean_up(picture);
		return -1;
	}
	begin_script(picture, width, height);
	return 0;
}

static int close_file(FILE **file, const char *path)
{
	bool bad = ferror(*file);

	bad |= fclose(*file) != 0;
	*file = NULL;
	return bad ? fail("cannot write %s: %s", path, strerror(errno)) : 0;
}

/* Starts gnuplot on the script, its complaints going to @errors. */
static int spawn(const struct picture *picture, const char *part, int errors, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	char *path = plain_path(part), *define;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	int error;

	fputs("output = ", stream);
	quote(stream, path);
	fclose(stream);
	define = text;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, picture->script_path, O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, errors, 2);
	error = posix_spawnp(pid, "gnuplot", &actions, NULL,
			     (char *[]){ "gnuplot", "-d", "-e", define, "-", NULL }, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(define);
	free(path);
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

static int run(const struct picture *picture)
{
	char *part = xasprintf("%s.part", picture->out);
	FILE *errors = tmpfile();
	pid_t pid;
	int status = -1;

	if (!errors) {
		fail("cannot make a temporary file: %s", strerror(errno));
		goto out;
	}
	if (spawn(picture, part, fileno(errors), &pid) < 0 ||
	    wait_for(pid, errors, picture->out) < 0)
		goto remove;
	status = rename(part, picture->out);
	if (status < 0)
		fail("cannot write %s: %s", picture->out, strerror(errno));
remove:
	if (status < 0)
		unlink(part);
	fclose(errors);
out:
	free(part);
	return status;
}

int picture_end(struct picture *picture)
{
	int status = 0;

	if (close_file(&picture->data, picture->data_path) < 0)
		status = -1;
	if (close_file(&picture->script, picture->script_path) < 0)
		status = -1;
	if (!status && !picture->runnable)
		status = fail("there is no gnuplot to draw %s with: install gnuplot-nox; data and "
			      "script are in %s and %s", picture->out, picture->data_path,
			      picture->script_path);
	else if (!status)
		status = run(picture);
	clean_up(picture);
	return status;
}
