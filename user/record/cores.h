/* SPDX-License-Identifier: GPL-2.0-only */
/* Of a hybrid processor: which cores a program may run on, and whose caches are taken. */
#ifndef CCSAMPLE_RECORD_CORES_H
#define CCSAMPLE_RECORD_CORES_H

#include <sched.h>

#include "host/machine.h"

/* Of CPUs of one kind the caches are that kind's. */
void cores_choose(struct machine *machine, const cpu_set_t *cpus);

/*
 * "cpu_core 0-7, cpu_atom 8-15 (...)": what CPUs are, and whose caches are taken; to be freed. NULL
 * where all cores are alike.
 */
char *cores_text(const struct machine *machine, const cpu_set_t *cpus);

#endif /* CCSAMPLE_RECORD_CORES_H */
