// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PMIs at each instruction of a range of code that the guest names (VCORE_PROD).
 * The translator puts a helper before every instruction there. Where one has not
 * had its share yet, fixed counter 0 is said to have overflowed, the block ends, and
 * the PMI comes before that very instruction, or is wanted there if LVTPC is masked.
 * At the end PATH.prods says what was executed, and where PMIs came.
 */
#include "vcore-internal.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "vcore-access.h"

#define FIXED_0     VCORE_GP
#define RANGE_MAX   (1u << 20)

struct VCoreRange vcore_range;

/* Of each byte of the range, where an instruction begins: outside an NMI, and in one. */
static struct place {
    uint32_t executed[2], asked[2], came, wanted;
} *places;
static uint32_t times, apart;

void vcore_prod_set(CPUX86State *env)
{
    uint64_t start = env->regs[R_EBX], bytes = MIN(env->regs[R_ECX], RANGE_MAX);

    times = (uint32_t)env->regs[R_EDX];
    apart = env->regs[R_EDX] >> 32;
    if (start == vcore_range.start && bytes == vcore_range.bytes) {
        return;
    }
    vcore_range = (struct VCoreRange){ };
    g_free(places);
    places = g_new0(struct place, bytes);
    vcore_range = (struct VCoreRange){ start, bytes };
    tb_flush(env_cpu(env));
}

/* Where a PMI was delivered, or would have been. */
void vcore_prod_came(uint64_t ip, bool delivered)
{
    uint64_t at = ip - vcore_range.start;

    if (at < vcore_range.bytes) {
        places[at].came += delivered;
        places[at].wanted += !delivered;
    }
}

void helper_vcore_place(CPUX86State *env, target_ulong ip)
{
    struct VCore *v = env->vcore;
    uint64_t at = ip - vcore_range.start;
    bool nmi = env->hflags2 & HF2_NMI_MASK;

    /* Only that counter's owner expects what it has not counted. */
    if (at >= vcore_range.bytes || v->again || !v->counter[FIXED_0].interrupt) {
        return;
    }
    places[at].executed[nmi]++;
    if (places[at].asked[nmi] >= times) {
        return;
    }
    /* The first time at once: it may be executed but once. */
    if (places[at].asked[nmi] && env->vcore_insns - v->prodded < apart) {
        return;
    }
    places[at].asked[nmi]++;
    v->prodded = env->vcore_insns;
    v->status |= vcore_bit(FIXED_0);
    v->pmi = true;
    cpu_restore_state(env_cpu(env), GETPC());
    vcore_kick(v);
    cpu_loop_exit_noexc(env_cpu(env));
}

void vcore_prod_write(const char *path)
{
    FILE *out = places ? fopen(path, "w") : NULL;

    if (!out) {
        return;
    }
    for (uint64_t at = 0; at < vcore_range.bytes; at++) {
        const struct place *p = &places[at];

        if (p->executed[0] + p->executed[1]) {
            fprintf(out, "%" PRIx64 " executed %u in-nmi %u came %u wanted %u\n", at,
                    p->executed[0], p->executed[1], p->came, p->wanted);
        }
    }
    fclose(out);
}
