// SPDX-License-Identifier: GPL-2.0-only
/* A live report, as a terminal gets it: cleared each time, and cut to its rows but for the last. */
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/follow.h"
#include "tap.h"
#include "view-fixture.h"

#define CLEAR	"\033[H\033[J"

typedef void show_fn(FILE *out, const struct findings *findings,
		     const struct view_options *options);

/* Line ends that a terminal of so many rows gets of a report; -1 = no clear comes first. */
static int ends_on(unsigned short rows, show_fn *show)
{
	static const struct view_options options = { .full = true };
	struct winsize window = { .ws_row = rows, .ws_col = 80 };
	struct findings *findings = fixture_findings();
	int screen, keyboard, ends = 0;
	char seen[65536];
	size_t count = 0;
	struct pollfd ready;
	FILE *out;

	if (openpty(&screen, &keyboard, NULL, NULL, &window))
		return -1;
	out = fdopen(keyboard, "w");
	setvbuf(out, NULL, _IOFBF, sizeof(seen));
	ready = (struct pollfd){ .fd = screen, .events = POLLIN };
	/* A pseudoterminal holds about 4 KiB until it is read. */
	if (!fork()) {
		show(out, findings, &options);
		fclose(out);
		_exit(0);
	}
	fclose(out);
	while (poll(&ready, 1, 10000) > 0 && count < sizeof(seen) - 1) {
		ssize_t bytes = read(screen, seen + count, sizeof(seen) - 1 - count);

		if (bytes <= 0)
			break;
		count += bytes;
	}
	seen[count] = '\0';
	close(screen);
	fixture_free(findings);
	for (size_t i = 0; i < count; i++)
		ends += seen[i] == '\n';
	return strncmp(seen, CLEAR, strlen(CLEAR)) ? -1 : ends;
}

int main(void)
{
	int whole, rows24;

	unsetenv("COLUMNS");
	whole = ends_on(24, report_live_end);
	rows24 = ends_on(24, report_live);
	ok(whole > 24, "the last report is whole (%d lines)", whole);
	ok(rows24 == 23, "24 rows: nothing scrolls (%d line ends)", rows24);
	ok(ends_on(12, report_live) == 11, "12 rows");
	ok(ends_on(1000, report_live) == whole, "a high terminal shows all");
	ok(ends_on(LIVE_LEAST - 1, report_live) == whole, "one too small to fit it shows all, too");
	return done();
}
