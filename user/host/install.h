/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the files that belong to this program are: next to it as built, or as installed. */
#ifndef CCSAMPLE_HOST_INSTALL_H
#define CCSAMPLE_HOST_INSTALL_H

/* What is looked for, and how it is called when it is missing. */
struct installed {
	const char *what;	/* "the engine" */
	const char *file;	/* its file */
	const char *built;	/* directory of the built program */
	const char *variable;	/* environment: another directory */
	int access;		/* what access(2) must grant: libraries are only read */
};

/**
 * install_find() - the directory of a file.
 *
 * Refuses paths that LD_PRELOAD would take apart: both the engine and the
 * library for native runs are named there.
 *
 * Return: its absolute path, to be freed; NULL after one line.
 */
char *install_find(const struct installed *installed);

/* The same; @why: where it is not found, the line, to be freed. */
char *install_look(const struct installed *installed, char **why);

/* What there is. */
extern const struct installed install_engine, install_library, install_bursts, install_attach,
			      install_pads, install_mpi;

#endif /* CCSAMPLE_HOST_INSTALL_H */
