/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state before a machine was tuned, in a file of text:
 *
 *	ccsample lab 1
 *	cpu 3
 *	governor powersave		one line an item, in the order in which they are set
 *	end
 *
 * It is there, whole, before anything is changed.
 */
#ifndef CCSAMPLE_HOST_LAB_STATE_H
#define CCSAMPLE_HOST_LAB_STATE_H

#include "host/lab.h"

struct lab_saved {
	char *name, *value;
};

struct lab_saved_state {
	unsigned int cpu;
	struct lab_saved *items;
	size_t count, room;
};

/**
 * lab_state_save() - write what is to be changed as it stands now.
 * @items: their values are known
 *
 * An existing file is not overwritten: it holds an older state.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int lab_state_save(const char *path, unsigned int cpu, const struct lab_item *const *items,
		   size_t count);

/* Return: 0, or -1 after one line on standard error. */
int lab_state_load(const char *path, struct lab_saved_state *state);
void lab_state_free(struct lab_saved_state *state);

/* Takes one item of it away. */
void lab_state_drop(struct lab_saved_state *state, size_t index);

/* Puts what is left of it in place of the file, or takes the file away. Return: as above. */
int lab_state_keep(const char *path, const struct lab_saved_state *state);

#endif /* CCSAMPLE_HOST_LAB_STATE_H */
