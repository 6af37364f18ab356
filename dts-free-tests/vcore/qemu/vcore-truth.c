// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The oracle: what was counted, outside the guest. One file of 64-byte records
 * for all CPUs (../truth.h), and at the end PATH.counts, text: instructions and
 * MSR accesses by CPU, privilege and interrupt being served.
 */
#include "vcore-internal.h"
#include "sysemu/cpu-timers.h"
#include "sysemu/tcg.h"

#define CPUS_MAX 64

static FILE *file;
static char *file_path;
static struct VCore *cores[CPUS_MAX];
static unsigned cores_nr;

static void write_counts(FILE *out, const struct VCore *v)
{
    for (unsigned i = 0; i <= VCORE_OUTSIDE; i++) {
        const struct VCoreBook *b = &v->book[i];
        char name[8] = "none";

        if (i < VCORE_OUTSIDE) {
            snprintf(name, sizeof(name), "%u", i);
        }
        if (b->entries || b->insns[0] || b->insns[1]) {
            fprintf(out, "cpu %d interrupt %s entries %" PRIu64 " user %" PRIu64 " kernel %"
                    PRIu64 " rdmsr %" PRIu64 " wrmsr %" PRIu64 " longest %" PRIu64
                    " running %" PRIu64 "\n",
                    CPU(v->cpu)->cpu_index, name, b->entries, b->insns[1], b->insns[0],
                    b->rdmsr, b->wrmsr, b->longest, b->running);
        }
    }
}

void vcore_truth_close(void)
{
    g_autofree char *path = g_strdup_printf("%s.counts", file_path);
    g_autofree char *prods = g_strdup_printf("%s.prods", file_path);
    FILE *out = fopen(path, "w");

    fclose(file);
    file = NULL;
    vcore_prod_write(prods);
    if (!out) {
        return;
    }
    for (unsigned i = 0; i < cores_nr; i++) {
        write_counts(out, cores[i]);
    }
    fclose(out);
}

void vcore_truth_open(struct VCore *v, const char *path)
{
    if (!file) {
        file = fopen(path, "wb");
        if (!file) {
            return;
        }
        file_path = g_strdup(path);
        setvbuf(file, NULL, _IOFBF, 1 << 20);
        atexit(vcore_truth_close);
    }
    if (cores_nr < CPUS_MAX) {
        cores[cores_nr++] = v;
        v->truth = file;
    }
}

/* What is so now. */
struct vcore_truth vcore_truth_of(struct VCore *v, char kind, uint64_t mask,
                                  const struct VCoreAccess *a, uint64_t extra)
{
    CPUX86State *env = &v->cpu->env;
    struct vcore_truth t = {
        .kind = kind, .cpu = CPU(v->cpu)->cpu_index, .cpl = env->hflags & HF_CPL_MASK,
        .counters = vcore_counters(mask),
        .insns = env->vcore_insns, .cr3 = env->cr[3], .extra = extra,
    };

    if (!icount_enabled()) {
        t.tsc = cpu_get_tsc(env);
    }
    if (a) {
        t.ip = a->ip;
        t.va = a->va;
        t.pa = a->pa;
        t.level = a->level;
    }
    return t;
}

void vcore_truth_put(struct VCore *v, const struct vcore_truth *t)
{
    if (v->truth && file) {
        fwrite(t, sizeof(*t), 1, file);
    }
}

void vcore_truth_write(struct VCore *v, char kind, uint64_t mask, const struct VCoreAccess *a,
                       uint64_t extra)
{
    struct vcore_truth t;

    if (v->truth) {
        t = vcore_truth_of(v, kind, mask, a, extra);
        vcore_truth_put(v, &t);
    }
}
