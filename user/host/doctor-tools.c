// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/sandbox.h"
#include "host/doctor.h"
#include "host/install.h"
#include "host/machine.h"
#include "host/proc.h"
#include "host/program.h"
#include "output/prose.h"

static bool have(const char *name)
{
	int error;
	char *path = program_find(name, &error);

	free(path);
	return path;
}

/* Return: whether it is where it should be. */
static bool find_part(struct doctor *doctor, const char *topic, const struct installed *part,
		      const char *means)
{
	char *why, *dir = install_look(part, &why);

	if (dir) {
		doctor_find(doctor, topic, DOCTOR_OK, NULL, "%s", means);
		free(dir);
		return true;
	}
	doctor_find(doctor, topic, DOCTOR_NO, "make, or make install", "%s", why);
	free(why);
	return false;
}

static void find_engine(struct doctor *doctor)
{
	if (!have("valgrind"))
		doctor_find(doctor, "engine", DOCTOR_NO, "install the package valgrind",
			    "it runs in Valgrind, which is not in PATH");
	else
		doctor->engine = find_part(doctor, "engine", &install_engine,
					   "record --source engine and sim simulate the caches");
}

static void find_bursts(struct doctor *doctor)
{
	if (proc_why_not())
		doctor_find(doctor, "bursts", DOCTOR_NO, "mount the namespace's own, as unshare "
			    "--mount-proc does", "%s", proc_why_not());
	else
		doctor->bursts = find_part(doctor, "bursts", &install_bursts, "record --source "
					   "bursts traces references without a PMU and without "
					   "rights");
}

static void find_caches(struct doctor *doctor)
{
	struct machine_cache caches[MACHINE_CACHES];
	bool listed;
	uint32_t count = machine_caches(&doctor->system, caches, &listed);
	char *text = machine_caches_text(caches, count, ", ");

	if (!count)
		doctor_find(doctor, "caches", DOCTOR_LIMITED,
			    "give them: --D1 32K,8,64, or --machine (ccsample sim --machine list)",
			    "neither the kernel nor CPUID reports them");
	else if (listed)
		doctor_find(doctor, "caches", DOCTOR_OK, NULL, "%s", text);
	else
		doctor_find(doctor, "caches", DOCTOR_LIMITED,
			    "where the processor has others, give them: --D1, --L2",
			    "%s by CPUID; the kernel does not report them", text);
	free(text);
}

/* Of cores of one kind record takes the caches; on others the program misses elsewhere. */
static void find_cores(struct doctor *doctor)
{
	struct machine_kind kinds[MACHINE_KINDS];
	uint32_t count = machine_kinds(&doctor->system, kinds), i;
	char *text = NULL, *caches;

	for (i = 0; i < count; i++) {
		caches = machine_caches_text(kinds[i].caches, kinds[i].cache_count, ", ");
		prose_append(&text, "%s%s, CPUs %s: %s", text ? "; " : "", kinds[i].name,
			     kinds[i].cpus, caches);
		free(caches);
	}
	if (count > 1)
		doctor_find(doctor, "cores", DOCTOR_LIMITED,
			    "keep the program on cores of one kind (taskset -c), whose caches "
			    "record takes then; else CPU 0's", "%s", text);
	free(text);
}

/* Of this machine, whatever stands for /. */
static void find_sandbox(struct doctor *doctor)
{
	int landlock = sandbox_landlock();
	bool filters = sandbox_filters();

	if (landlock && filters)
		doctor_find(doctor, "sandbox", DOCTOR_OK, NULL,
			    "commands that read recordings write only their output (Landlock %d), "
			    "and have no network (filtered system calls)", landlock);
	else if (landlock)
		doctor_find(doctor, "sandbox", DOCTOR_LIMITED, NULL, "commands that read "
			    "recordings write only their output (Landlock %d); system calls are "
			    "not filtered", landlock);
	else
		doctor_find(doctor, "sandbox", DOCTOR_LIMITED,
			    "Linux 5.13 or newer with Landlock (lsm=landlock,...)", "commands that "
			    "read recordings could write your files%s, were they taken over",
			    filters ? "; they have no network (filtered system calls)" : "");
}

void doctor_tools(struct doctor *doctor)
{
	find_bursts(doctor);
	find_part(doctor, "data names", &install_library,
		  "the preloaded library names heap blocks of sampled programs");
	find_caches(doctor);
	find_cores(doctor);
	find_engine(doctor);
	if (have("gnuplot"))
		doctor_find(doctor, "gnuplot", DOCTOR_OK, NULL, "plot and diff -o draw");
	else
		doctor_find(doctor, "gnuplot", DOCTOR_LIMITED, "install the package gnuplot-nox",
			    "not in PATH: plot leaves data and script instead of a picture");
	find_sandbox(doctor);
}
