/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What disturbs a measurement on this machine, or changes its results: read, set
 * and restored.
 *
 *	lab-knobs.c	the table of knobs, and those that are one file each
 *	lab-cpu.c	siblings, isolated CPUs
 *	lab-irq.c	which CPUs interrupts go to
 *	lab-prefetch.c	the prefetchers' register
 *	lab-state.c	the former state, in a file
 *	lab-record.c	the state as recordings keep it
 *	lab.c		looking at all, and setting one
 *	lab-tune.c	setting and restoring several
 *	lab-view.c	the state as text and JSON
 */
#ifndef CCSAMPLE_HOST_LAB_H
#define CCSAMPLE_HOST_LAB_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "host/system.h"

enum lab_state {
	LAB_QUIET,		/* as `tune` would have it */
	LAB_NOISY,		/* not so */
	LAB_SHOWN,		/* only shown: no value is better than another */
	LAB_ABSENT,		/* this machine, or its kernel, has none */
	LAB_DENIED,		/* may not be read */
	LAB_ODD,		/* read, and not understood: left unchanged */
	LAB_STATES
};

struct lab;
struct lab_item;

/* A word for what a file holds. */
struct lab_word {
	const char *held, *word;
};

/* A file that a knob may lie in. */
struct lab_place {
	const char *path;		/* "%u" in it: the CPU's number */
	const struct lab_word *words;	/* NULL = the text as it is; ends with { } */
};

struct lab_knob {
	const char *name;
	const char *why;		/* why it matters, a few words */
	const char *wanted;		/* on a quiet machine; NULL = no opinion */
	bool usual;			/* `tune` without names sets it */
	bool shown;			/* cannot be set */
	bool number;			/* holds a number */
	struct lab_place places[2];	/* the first that exists */
	bool per_cpu;			/* each CPU has its own */

	/* In place of a file's text. */
	void (*look)(struct lab *lab, const struct lab_knob *knob);
	int (*set)(const struct lab *lab, const struct lab_item *item, const char *value);
	bool (*accepts)(const struct lab_item *item, const char *value);
};

/* A thing to set: most knobs are one, interrupts and prefetchers several. */
struct lab_item {
	const struct lab_knob *knob;
	char *name;			/* the knob's, or "irq.24" */
	enum lab_state state;
	char *path;			/* below the root; NULL = none */
	char *value;			/* in the knob's words; as it is where odd; else NULL */
	char *wanted;			/* NULL = no opinion */
	const struct lab_place *place;
	const char *advice;		/* how it could be had, NULL = not at all */
};

struct lab {
	struct system system;
	unsigned int cpu;		/* that is measured on */
	int prefetchers;		/* the model's are known: 1; are not: -1; not examined: 0 */
	struct lab_item *items;		/* in the order in which they are set */
	size_t count, room;
};

extern const struct lab_knob lab_knobs[];
extern const size_t lab_knobs_nr;

/**
 * lab_look() - read everything.
 * @root: "" for this machine, or a directory that stands for a machine's /
 */
void lab_look(struct lab *lab, const char *root, unsigned int cpu);
void lab_free(struct lab *lab);

/* Drops the items, to look again. */
void lab_forget(struct lab *lab);

/* An isolated CPU if there is one, else the last that is online; 0 if neither is reported. */
unsigned int lab_choose_cpu(const char *root);

/* One knob's items, added to what was looked at. */
void lab_look_knob(struct lab *lab, const struct lab_knob *knob);

/* The item of a name, or NULL. */
const struct lab_item *lab_item(const struct lab *lab, const char *name);

/* Would lab_set() take it? */
bool lab_accepts(const struct lab_item *item, const char *value);

#define LAB_IGNORED (-1)	/* written without an error, and not there afterwards */

/**
 * lab_set() - give an item a value, and look whether it took it.
 *
 * Return: 0, LAB_IGNORED, or what errno says: EINVAL for a value that it cannot have.
 */
int lab_set(const struct lab *lab, const struct lab_item *item, const char *value);

/* "quiet", "noisy", "shown", "absent", "denied", "odd" */
const char *lab_state_name(enum lab_state state);

/*
 * For looks. lab_add() adds an item of which nothing is known, named KNOB.SUFFIX
 * where a suffix is given; lab_settle() finds the state of one with a value.
 */
struct lab_item *lab_add(struct lab *lab, const struct lab_knob *knob, const char *suffix);
void lab_settle(struct lab_item *item);

/* The measured CPU and its siblings that are online. Return: -1 if the kernel reports none. */
int lab_core(const struct lab *lab, cpu_set_t *cpus);
void lab_look_sibling(struct lab *lab, const struct lab_knob *knob);
int lab_set_sibling(const struct lab *lab, const struct lab_item *item, const char *value);
bool lab_accepts_cpus(const struct lab_item *item, const char *value);
void lab_look_isolated(struct lab *lab, const struct lab_knob *knob);
void lab_look_callbacks(struct lab *lab, const struct lab_knob *knob);
void lab_look_interrupts(struct lab *lab, const struct lab_knob *knob);
void lab_look_prefetchers(struct lab *lab, const struct lab_knob *knob);
int lab_set_prefetcher(const struct lab *lab, const struct lab_item *item, const char *value);

void lab_text(FILE *out, const struct lab *lab, bool colour);
void lab_json(FILE *out, const struct lab *lab);

struct lab_request {
	const char *root;		/* "" = this machine */
	const char *state;		/* the file that keeps the former state */
	uint32_t cpu;
	char **words;			/* KNOB, KNOB=VALUE; word_count of them */
	int word_count;
};

/*
 * Sets the knobs, and restores the former state. Both print what they change.
 *
 * Return: the exit status: 0, 1 after one line, 2 after one line about the words.
 */
int lab_tune(const struct lab_request *request);
int lab_reset(const struct lab_request *request);

#endif /* CCSAMPLE_HOST_LAB_H */
