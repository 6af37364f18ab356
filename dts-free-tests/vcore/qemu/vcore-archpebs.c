// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Architectural PEBS: CPUID leaf 23H, a buffer of contiguous physical memory
 * (PEBS_BASE) at an offset that the core advances (PEBS_INDEX), and for each
 * counter what it is reloaded with and which groups its records have (CFG_C). A
 * record is one fragment or several, each with a header.
 *
 * After Linux 7.3's definitions (union arch_pebs_index, struct arch_pebs_*,
 * ARCH_PEBS_*, union cpuid35_eax) and how its driver uses them.
 */
#include "vcore-internal.h"
#include "exec/cpu-common.h"

#define MSR_PEBS_BASE       0x3f4
#define MSR_PEBS_INDEX      0x3f5
#define MSR_GP0             0x1900      /* counter, CFG_A (event), CFG_B, CFG_C; then the next */
#define MSR_FIXED0          0x1980
#define MSR_STEP            4
#define MSR_CFG_C           3

#define BASE_SIZE           0x1full     /* the buffer has 4096 << that bytes */
#define BASE_ADDRESS        0xffffffffff000ull

#define INDEX_WRITE         0x7fffff0ull        /* the next fragment's offset, in bytes */
#define INDEX_FULL          (1ull << 31)
#define INDEX_ENABLE        (1ull << 32)
#define INDEX_THRESHOLD     (INDEX_WRITE << 32)

/* CFG_C; from bit 36 on also what the headers of fragments say. */
#define CFG_RELOAD          0xffffffffull
#define CFG_ALLOW           (1ull << 35)        /* this counter's value may be in records */
#define CFG_COUNTERS        (1ull << 36)
#define CFG_FIXED           (1ull << 37)
#define CFG_XMM             (1ull << 49)
#define CFG_GPR             (1ull << 61)
#define CFG_MEMORY          (1ull << 62)
#define CFG_ENABLE          (1ull << 63)
#define GROUPS              (CFG_COUNTERS | CFG_FIXED | CFG_XMM | CFG_GPR | CFG_MEMORY)
#define CAPABILITIES        (CFG_ALLOW | GROUPS)

#define HEADER_64BIT        (1ull << 30)
#define HEADER_CONTINUED    (1ull << 31)
#define HEADER_BASIC        (1ull << 63)
#define HEADER_BYTES        16
#define XSTATE_SSE          (1 << 1)

void vcore_arch_cpuid(const struct VCoreModel *m, uint32_t count, uint32_t *eax, uint32_t *ebx,
                      uint32_t *ecx, uint32_t *edx)
{
    uint32_t gp = MAKE_64BIT_MASK(0, m->gp), fixed = MAKE_64BIT_MASK(0, m->fixed);

    *eax = *ebx = *ecx = *edx = 0;
    switch (count) {
    case 0:
        *eax = 1 << 0 | 1 << 1 | 1 << 4 | 1 << 5;
        break;
    case 1:
        *eax = gp;
        *ebx = fixed;
        break;
    case 4:
        *ebx = CAPABILITIES >> 32;
        break;
    case 5:
        *eax = gp;
        *ebx = 1 << 0;                  /* precise distribution: PMC0, instructions */
        *ecx = fixed;
        *edx = 1 << 0;
        break;
    }
}

/* The number of the counter that the register is the @which-th one of; -1: of none. */
static int counter_at(struct VCore *v, uint32_t msr, unsigned which)
{
    if (v->model->version < 6 || msr % MSR_STEP != which) {
        return -1;
    }
    if (msr - MSR_GP0 < MSR_STEP * v->model->gp) {
        return (msr - MSR_GP0) / MSR_STEP;
    }
    if (msr - MSR_FIXED0 < MSR_STEP * v->model->fixed) {
        return VCORE_GP + (msr - MSR_FIXED0) / MSR_STEP;
    }
    return -1;
}

uint32_t vcore_arch_alias(struct VCore *v, uint32_t msr)
{
    int value = counter_at(v, msr, 0), event = counter_at(v, msr, 1);

    if (value >= VCORE_GP) {
        return MSR_FIXED_CTR0 + value - VCORE_GP;
    }
    if (value >= 0) {
        return MSR_PMC0 + value;
    }
    return event >= 0 && event < VCORE_GP ? MSR_EVNTSEL0 + event : msr;
}

bool vcore_arch_absent(struct VCore *v, uint32_t msr)
{
    return v->model->version >= 6 && (msr - MSR_GP0 < MSR_STEP * VCORE_GP ||
                                      msr - MSR_FIXED0 < MSR_STEP * VCORE_FIXED);
}

uint64_t *vcore_arch_register(struct VCore *v, uint32_t msr, uint64_t *valid)
{
    int counter = counter_at(v, msr, MSR_CFG_C);

    if (!v->model->architectural) {
        return NULL;
    }
    switch (msr) {
    case MSR_PEBS_BASE:
        *valid = BASE_SIZE | (BASE_ADDRESS & MAKE_64BIT_MASK(0, v->cpu->phys_bits));
        return &v->pebs_base;
    case MSR_PEBS_INDEX:
        *valid = INDEX_WRITE | INDEX_FULL | INDEX_ENABLE | INDEX_THRESHOLD;
        return &v->pebs_index;
    }
    *valid = CFG_RELOAD | CAPABILITIES | CFG_ENABLE;
    return counter >= 0 ? &v->cfg_c[counter] : NULL;
}

void vcore_arch_refresh(struct VCore *v)
{
    if (!v->model->architectural) {
        return;
    }
    v->pebs_enable = 0;
    for (unsigned i = 0; v->pebs_index & INDEX_ENABLE && i < VCORE_COUNTERS; i++) {
        v->pebs_enable |= v->cfg_c[i] & CFG_ENABLE ? vcore_bit(i) : 0;
    }
}

/* Above its 32 bits the value's are ones; zero: the counter goes on from where it is. */
void vcore_arch_reload(struct VCore *v, uint64_t mask)
{
    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        uint64_t value = v->cfg_c[i] & CFG_RELOAD;

        if (mask & vcore_bit(i) && value) {
            v->counter[i].value = (value | ~CFG_RELOAD) & VCORE_MASK;
        }
    }
}

/* Panther Cove's encoding: pnc_latency_data(). */
static uint64_t source_of(const struct VCoreAccess *a)
{
    static const uint16_t level[] = { 0, 0x002, 0x004, 0x102, 0x108 };

    return a->events & EV_LATENCY ? level[a->level] | (a->events & EV_LOCKED ? 1 << 12 : 0) : 0;
}

static void put_memory(struct VCore *v, struct VCoreRecord *r)
{
    uint64_t latency = v->event.events & EV_LATENCY ? v->event.latency : 0;

    vcore_put(r, v->event.va);
    for (int i = 0; i < 4; i++) {
        vcore_put(r, 0);
    }
    vcore_put(r, source_of(&v->event));
    vcore_put(r, latency << 32);
    vcore_put(r, 0);                    /* no transactional memory */
}

static void put_registers(CPUX86State *env, struct VCoreRecord *r)
{
    vcore_put(r, cpu_compute_eflags(env));
    vcore_put(r, env->eip);
    for (int i = 0; i < 16; i++) {
        vcore_put(r, env->regs[i]);
    }
    vcore_put(r, 0);                    /* no shadow stack */
    vcore_put(r, 0);
}

static void put_vectors(CPUX86State *env, struct VCoreRecord *r)
{
    vcore_put(r, XSTATE_SSE);
    vcore_put(r, 0);
    vcore_put_xmm(env, r);
}

/* The counters that CFG_C of each allows, of the kinds that the record's groups name. */
static void put_counters(struct VCore *v, struct VCoreRecord *r, uint64_t groups)
{
    uint32_t listed[2] = { 0, 0 };

    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        bool fixed = i >= VCORE_GP;

        if (v->cfg_c[i] & CFG_ALLOW && groups & (fixed ? CFG_FIXED : CFG_COUNTERS)) {
            listed[fixed] |= 1u << (fixed ? i - VCORE_GP : i);
        }
    }
    vcore_put_counters(v, r, listed[0], listed[1]);
    if (r->bytes % HEADER_BYTES) {
        vcore_put(r, 0);
    }
}

/* Room for a header. Return: where the fragment begins. */
static uint32_t open_fragment(struct VCoreRecord *r)
{
    vcore_put(r, 0);
    vcore_put(r, 0);
    return r->bytes - HEADER_BYTES;
}

static void close_fragment(struct VCoreRecord *r, uint32_t at, uint64_t header)
{
    stq_le_p(r->data + at, header | (r->bytes - at));
}

void vcore_arch_compose(struct VCore *v, struct VCoreRecord *r)
{
    CPUX86State *env = &v->cpu->env;
    uint64_t groups = 0, header = HEADER_64BIT | HEADER_BASIC;
    uint32_t at = open_fragment(r);

    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        groups |= r->mask & vcore_bit(i) ? v->cfg_c[i] & GROUPS : 0;
    }
    vcore_put(r, v->event.ip);
    vcore_put(r, r->mask);
    vcore_put(r, r->truth.tsc);
    for (int i = 0; i < 3; i++) {
        vcore_put(r, 0);                /* no retire latency */
    }
    if (groups && v->cpu->vcore.fragments) {
        close_fragment(r, at, header | HEADER_CONTINUED);
        at = open_fragment(r);
        close_fragment(r, at, 0);       /* one without a group says that another follows */
        at = open_fragment(r);
        header = HEADER_64BIT;
    }
    if (groups & CFG_MEMORY) {
        put_memory(v, r);
    }
    if (groups & CFG_GPR) {
        put_registers(env, r);
    }
    if (groups & CFG_XMM) {
        put_vectors(env, r);
    }
    if (groups & (CFG_COUNTERS | CFG_FIXED)) {
        put_counters(v, r, groups);
    }
    close_fragment(r, at, header | groups);
}

bool vcore_arch_append(struct VCore *v, struct VCoreRecord *r, uint64_t place[3])
{
    uint64_t at = v->pebs_index & INDEX_WRITE;

    place[0] = at;
    place[1] = 4096ull << (v->pebs_base & BASE_SIZE);
    place[2] = (v->pebs_index & INDEX_THRESHOLD) >> 32;
    if (v->pebs_index & INDEX_FULL || at + r->bytes > place[1]) {
        v->pebs_index |= INDEX_FULL;
        return false;
    }
    cpu_physical_memory_write((v->pebs_base & BASE_ADDRESS) + at, r->data, r->bytes);
    place[0] = at + r->bytes;
    v->pebs_index = (v->pebs_index & ~INDEX_WRITE) | (place[0] & INDEX_WRITE);
    return true;
}
