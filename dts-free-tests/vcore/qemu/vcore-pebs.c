// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PEBS records and the DS area: SDM volume 3, 20.4.9 ("DS Save Area"), 20.6.2.4
 * (PEBS), 20.9 ("PEBS Facility": adaptive records). The area is reached through
 * the page tables in force, so under page table isolation one that user page
 * tables do not map takes no record of user code.
 */
#include "vcore-internal.h"
#include "exec/exec-all.h"

#define DS_PEBS_INDEX       0x28
#define DS_RESET            0x40
#define STATUS_DS_OVERFLOW  (1ull << 62)
#define STATUS_THRESHOLD    (1ull << 54)        /* of architectural PEBS */
#define EVTSEL_ADAPTIVE     34
#define FIXED_ADAPTIVE      32

enum {
    CFG_MEMORY = 1 << 0, CFG_GPR = 1 << 1, CFG_XMM = 1 << 2, CFG_LBR = 1 << 3, CFG_COUNTERS = 1 << 4,
};

static bool ds_copy(CPUX86State *env, uint64_t va, void *bytes, size_t size, MMUAccessType type)
{
    while (size) {
        size_t chunk = MIN(size, TARGET_PAGE_SIZE - (va & ~TARGET_PAGE_MASK));
        void *host;
        int flags = probe_access_flags(env, va, type, MMU_KNOSMAP64_IDX, true, &host, 0);

        if (flags & TLB_INVALID_MASK || !host) {
            return false;
        }
        if (type == MMU_DATA_STORE) {
            host = probe_access(env, va, chunk, type, MMU_KNOSMAP64_IDX, 0);
            memcpy(host, bytes, chunk);
        } else {
            memcpy(bytes, host, chunk);
        }
        va += chunk;
        bytes = (char *)bytes + chunk;
        size -= chunk;
    }
    return true;
}

static bool ds_read(struct VCore *v, uint64_t offset, void *to, size_t size)
{
    return ds_copy(&v->cpu->env, v->ds_area + offset, to, size, MMU_DATA_LOAD);
}

static unsigned reset_slot(struct VCore *v, unsigned i)
{
    if (i < VCORE_GP) {
        return i;
    }
    if (v->model->pebs_format >= 5) {
        return i - VCORE_GP + 32;
    }
    return i - VCORE_GP + (v->model->pebs_format >= 4 ? 8 : 4);
}

static void reload(struct VCore *v, uint64_t mask)
{
    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        uint64_t value;

        if (mask & vcore_bit(i) && ds_read(v, DS_RESET + 8 * reset_slot(v, i), &value, 8)) {
            v->counter[i].value = value & VCORE_MASK;
        }
    }
}

/* Leaves of what the access was only what the recording counters select. */
static void narrow_event(struct VCore *v)
{
    uint32_t selected = 0;

    for (unsigned i = 0; i < VCORE_GP; i++) {
        selected |= v->record & vcore_bit(i) ? v->counter[i].events : 0;
    }
    v->event.events &= selected;
}

/* Only these events fill in the data source and, of loads, the latency; none of an E-core's here. */
static uint64_t source_of(struct VCore *v)
{
    bool atom = v->model->core_type == VCORE_ATOM;

    return v->event.events & (EV_STORE | EV_LATENCY) && !atom ? v->event.source : 0;
}

/* From format 5 on the cache's is in bits 47:32, next to the instruction's. */
static uint64_t latency_of(struct VCore *v)
{
    uint64_t latency = v->event.events & EV_LATENCY ? v->event.latency : 0;

    return v->model->pebs_format >= 5 ? latency << 32 : latency;
}

/* Before Haswell (format 2) only a load latency event gives the address. */
static uint64_t address_of(struct VCore *v)
{
    return v->model->pebs_format >= 2 || v->event.events & EV_LATENCY ? v->event.va : 0;
}

/* Formats 1 to 3: registers in the order of the architecture's first DS area. */
static void compose_fixed(struct VCore *v, struct VCoreRecord *r)
{
    static const int order[] = { R_EAX, R_EBX, R_ECX, R_EDX, R_ESI, R_EDI, R_EBP, R_ESP };
    CPUX86State *env = &v->cpu->env;

    vcore_put(r, cpu_compute_eflags(env));
    vcore_put(r, env->eip);
    for (int i = 0; i < 8; i++) {
        vcore_put(r, env->regs[order[i]]);
    }
    for (int i = 8; i < 16; i++) {
        vcore_put(r, env->regs[i]);
    }
    vcore_put(r, r->mask);
    vcore_put(r, address_of(v));
    vcore_put(r, source_of(v));
    vcore_put(r, latency_of(v));
    if (v->model->pebs_format >= 2) {
        vcore_put(r, v->event.ip);
        vcore_put(r, 0);                      /* no transactional memory */
    }
    if (v->model->pebs_format >= 3) {
        vcore_put(r, r->truth.tsc);
    }
}

static bool adaptive(struct VCore *v, uint64_t mask)
{
    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        bool set = i < VCORE_GP ? v->counter[i].select >> EVTSEL_ADAPTIVE & 1
                                : v->fixed_ctrl >> (FIXED_ADAPTIVE + 4 * (i - VCORE_GP)) & 1;

        if (mask & vcore_bit(i) && set) {
            return true;
        }
    }
    return false;
}

void vcore_put_xmm(CPUX86State *env, struct VCoreRecord *r)
{
    for (int i = 0; i < 16; i++) {
        vcore_put(r, env->xmm_regs[i].ZMM_Q(0));
        vcore_put(r, env->xmm_regs[i].ZMM_Q(1));
    }
}

/* Not yet reloaded. */
void vcore_put_counters(struct VCore *v, struct VCoreRecord *r, uint32_t gp, uint32_t fixed)
{
    vcore_put(r, gp | (uint64_t)fixed << 32);
    vcore_put(r, 0);                    /* no metrics */
    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        if ((i < VCORE_GP ? gp >> i : fixed >> (i - VCORE_GP)) & 1) {
            vcore_put(r, v->counter[i].value);
        }
    }
}

static void compose_adaptive(struct VCore *v, struct VCoreRecord *r)
{
    CPUX86State *env = &v->cpu->env;
    uint64_t groups = adaptive(v, r->mask) ? v->data_cfg : 0;
    unsigned branches = groups & CFG_LBR ? (groups >> 24 & 0x1f) + 1 : 0;

    r->bytes = 8;                       /* the size comes last */
    vcore_put(r, v->event.ip);
    vcore_put(r, r->mask);
    vcore_put(r, r->truth.tsc);
    if (groups & CFG_MEMORY) {
        vcore_put(r, v->event.va);
        vcore_put(r, source_of(v));
        vcore_put(r, latency_of(v));
        vcore_put(r, 0);
    }
    if (groups & CFG_GPR) {
        vcore_put(r, cpu_compute_eflags(env));
        vcore_put(r, env->eip);
        for (int i = 0; i < 16; i++) {
            vcore_put(r, env->regs[i]);
        }
    }
    if (groups & CFG_XMM) {
        vcore_put_xmm(env, r);
    }
    memset(r->data + r->bytes, 0, 24 * branches);
    r->bytes += 24 * branches;
    if (groups & CFG_COUNTERS) {
        vcore_put_counters(v, r, v->data_cfg >> 32 & 0xffff, v->data_cfg >> 48 & 0xff);
    }
    stq_le_p(r->data, (uint32_t)groups | (uint64_t)r->bytes << 48);
}

/* False where the record is lost. */
static bool append(struct VCore *v, struct VCoreRecord *r, uint64_t ds[3])
{
    if (!ds_read(v, DS_PEBS_INDEX, ds, 3 * sizeof(*ds)) || ds[0] + r->bytes > ds[1] ||
        !ds_copy(&v->cpu->env, ds[0], r->data, r->bytes, MMU_DATA_STORE)) {
        return false;
    }
    ds[0] += r->bytes;
    return ds_copy(&v->cpu->env, v->ds_area + DS_PEBS_INDEX, ds, 8, MMU_DATA_STORE);
}

/* The interrupt comes at the threshold, or also (early-pmi) one record before it. */
static bool full(struct VCore *v, struct VCoreRecord *r, const uint64_t ds[3])
{
    return ds[0] + (v->cpu->vcore.early_pmi ? r->bytes : 0) >= ds[2];
}

static void write_out(struct VCore *v, struct VCoreRecord *r)
{
    uint64_t ds[3] = { 0, 0, UINT64_MAX };      /* index, absolute maximum, threshold */
    bool architectural = v->model->architectural;
    bool written = architectural ? vcore_arch_append(v, r, ds) : append(v, r, ds);

    r->truth.kind = written ? 'R' : 'L';
    r->truth.extra = r->bytes;
    vcore_truth_put(v, &r->truth);
    if (!written && !v->cpu->vcore.full_pmi) {
        return;
    }
    if (full(v, r, ds)) {
        v->status |= architectural ? STATUS_THRESHOLD : STATUS_DS_OVERFLOW;
        v->pmi = true;
    }
}

/* Lets records in flight arrive, but for the last @keep. */
void vcore_pebs_land(struct VCore *v, unsigned keep)
{
    unsigned n = v->flying > keep ? v->flying - keep : 0;

    for (unsigned i = 0; i < n; i++) {
        write_out(v, &v->flight[i]);
    }
    memmove(v->flight, v->flight + n, (v->flying - n) * sizeof(v->flight[0]));
    v->flying -= n;
}

void vcore_pebs_record(struct VCore *v)
{
    struct VCoreRecord *r = &v->flight[v->flying++];

    narrow_event(v);
    r->bytes = 0;
    r->mask = v->record;
    r->truth = v->taken;
    r->truth.counters = vcore_counters(r->mask);
    r->truth.tsc = cpu_get_tsc(&v->cpu->env);
    v->record = 0;
    if (v->model->architectural) {
        vcore_arch_compose(v, r);
        vcore_arch_reload(v, r->mask);
    } else if (v->model->pebs_format >= 4) {
        compose_adaptive(v, r);
        reload(v, r->mask);
    } else {
        compose_fixed(v, r);
        reload(v, r->mask);
    }
    vcore_pass(v, v->cpu->vcore.record_ns);
    vcore_pebs_land(v, v->cpu->vcore.in_flight);
}
