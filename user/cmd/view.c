// SPDX-License-Identifier: GPL-2.0-only
/* ccsample view: a page for a browser, of this machine or of the one that ssh came from. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "serve/content.h"
#include "serve/server.h"

struct arguments {
	uint32_t port, idle;
	char **operands;
};

static int check(void *options, char **operands)
{
	((struct arguments *)options)->operands = operands;
	return 0;
}

/* Runs the command that the first operand names, or report, with --html. Return: its status. */
static int make_page(char **operands, int fd)
{
	static const struct command *const commands[] = {
		&command_report, &command_diff, &command_sim, &command_advise, &command_history,
	};
	const struct command *command = NULL;
	size_t count = 0;
	char **words;
	int status;

	for (size_t i = 0; i < ARRAY_SIZE(commands) && *operands; i++)
		if (!strcmp(*operands, commands[i]->name))
			command = commands[i];
	operands += !!command;
	for (size_t i = 0; operands[i] && strcmp(operands[i], "--"); i++)
		if (!strncmp(operands[i], "--ht", 4))	/* getopt takes what is shorter, too */
			return fail("view makes the page itself: leave out %s", operands[i]);
	while (operands[count])
		count++;
	words = xcalloc(count + 3, sizeof(*words));
	words[0] = "ccsample";
	words[1] = xasprintf("--html=/proc/self/fd/%d", fd);
	memcpy(words + 2, operands, count * sizeof(*words));
	status = command_run(command ? command : &command_report, count + 2, words);
	free(words[1]);
	free(words);
	return status;
}

static bool is_page(char *const *operands)
{
	const char *dot = operands[0] && !operands[1] ? strrchr(operands[0], '.') : NULL;

	return dot && !strcmp(dot, ".html");
}

/* --help of a command was printed, or it failed: there is none, or a part. */
static bool is_whole(const char *page, size_t size)
{
	static const char end[] = "</html>\n";
	size_t length = strlen(end);

	return size >= length && !memcmp(page + size - length, end, length);
}

/* @made: by a command that ended with @status, which a program or --fail-on may have given it. */
static int serve(const struct arguments *arguments, int fd, const char *name, bool made, int status)
{
	struct server server;
	size_t size;
	char *page = content_read(fd, name, &size);
	int served = -1;

	if (page && made && !is_whole(page, size)) {
		served = 0;
	} else if (page && !size) {
		served = fail("%s is empty: write it again with --html", name);
	} else if (page && !server_open(&server, arguments->port)) {
		server_say(&server);
		served = server_run(&server, page, size, arguments->idle);
	}
	free(page);
	return served ? served : status;
}

static int run(void *options)
{
	struct arguments *arguments = options;
	const char *name = is_page(arguments->operands) ? *arguments->operands : NULL;
	int status = 0, fd = name ? open(name, O_RDONLY | O_CLOEXEC) :
				    memfd_create("page", MFD_CLOEXEC);

	if (fd < 0)
		return fail("cannot read %s: %s", name ? name : "the page", strerror(errno));
	if (!name)
		status = make_page(arguments->operands, fd);
	status = serve(arguments, fd, name ? name : "the page", !name, status);
	close(fd);
	return status;
}

static const struct option_row rows[] = {
	{ "port", 0, "N", "listen on this port of 127.0.0.1 [one that is free]", option_number32,
	  .target = offsetof(struct arguments, port), 1024, 65535 },
	{ "idle", 0, "SECONDS", "end after so long without a reader [never]", option_number32,
	  .target = offsetof(struct arguments, idle), 1, 1000000 },
	{ }
};

const struct command command_view = {
	.name = "view",
	.summary = "serve a page to a browser, here or at the other end of ssh",
	.usage = "view [options] [FILE... [report's options]]\n"
		 "view [options] report|diff|sim|advise|history [its options] [OPERAND...]\n"
		 "view [options] PAGE.html",
	.about = "Makes the page that --html of a command writes and serves it, or one that was "
		 "written, on the loopback until it is interrupted. Prints its address, which "
		 "cannot be guessed; nothing else is served, and no other machine can connect.",
	.notes = "Options of view come before all others.",
	.examples = "  ccsample view\n"
		    "  ccsample view run.ccs --level 2\n"
		    "  ccsample view diff before.ccs after.ccs\n"
		    "  ccsample view --port 8080 sim -- ./app",
	.groups = (const struct option_group[]){ { .rows = rows }, { } },
	.size = sizeof(struct arguments),
	.check = check,
	.verbs = "report diff sim advise history",
	.runs_program = true,
	.run = run,
};
