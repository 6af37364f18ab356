// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting. Memory events are counted access by access, by a helper that the
 * translator puts before each one; instructions inline, with a helper at the
 * count where the next counter overflows; cycles are virtual time.
 *
 * What is to become a PEBS record ends the translation block: the instruction
 * runs again alone, and the record is written at the boundary behind it, with
 * the registers as the instruction leaves them.
 */
#include "vcore-internal.h"
#include "qemu/main-loop.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "hw/i386/apic.h"
#include "sysemu/cpu-timers.h"
#include "qemu/seqlock.h"
#include "softmmu/timers-state.h"
#include "vcore-access.h"

#define CYCLES_A_NS     2
#define DUE_NEVER       UINT64_MAX
#define EV_REFERENCES   (EV_LOAD | EV_STORE)

static bool lock_if_needed(void)
{
    if (qemu_mutex_iothread_locked()) {
        return false;
    }
    qemu_mutex_lock_iothread();
    return true;
}

void vcore_kick(struct VCore *v)
{
    CPUState *cs = CPU(v->cpu);
    uint32_t can_do_io = cs->can_do_io;
    bool locked = lock_if_needed();

    /* Under -icount an interrupt may otherwise not be raised within a block. */
    cs->can_do_io = 1;
    cpu_interrupt(cs, CPU_INTERRUPT_VCORE);
    cs->can_do_io = can_do_io;
    if (locked) {
        qemu_mutex_unlock_iothread();
    }
}

/* ns */
int64_t vcore_clock(struct VCore *v)
{
    CPUState *cs = CPU(v->cpu);
    uint32_t can_do_io = cs->can_do_io;
    int64_t now;

    cs->can_do_io = 1;
    now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    cs->can_do_io = can_do_io;
    return now;
}

static uint64_t cycles(struct VCore *v)
{
    return vcore_clock(v) * CYCLES_A_NS;
}

/* PEBS is on for counter @i. Before format 4 the bits of fixed counters are load latency's. */
bool vcore_records(struct VCore *v, unsigned i)
{
    return v->pebs_enable & vcore_bit(i) && (i < VCORE_GP || v->model->pebs_format >= 4);
}

/* Counter @i is to record @a, or what another counter records already. */
static void take(struct VCore *v, unsigned i, const struct VCoreAccess *a)
{
    if (!v->record) {
        v->event = *a;
        v->taken = vcore_truth_of(v, 'R', 0, a, 0);
    }
    v->record |= vcore_bit(i);
    vcore_kick(v);
}

static void overflow(struct VCore *v, unsigned i, const struct VCoreAccess *a)
{
    struct VCoreCounter *c = &v->counter[i];

    if (!vcore_records(v, i)) {
        v->status |= vcore_bit(i);
        v->pmi |= c->interrupt;
        vcore_kick(v);
    } else if (v->cpu->vcore.arm && c->kind == VK_MEMORY) {
        v->armed |= vcore_bit(i);
        c->wait = v->cpu->vcore.arm;
        if (v->cpu->vcore.armed_status) {
            v->status |= vcore_bit(i);
        }
    } else {
        take(v, i, a);
    }
}

/* Adds to a counter; past its width it overflows, once. */
static void add(struct VCore *v, unsigned i, uint64_t delta, const struct VCoreAccess *a)
{
    struct VCoreCounter *c = &v->counter[i];

    c->value += delta;
    if (c->value > VCORE_MASK) {
        c->value &= VCORE_MASK;
        overflow(v, i, a);
    }
}

static void set_due(struct VCore *v)
{
    CPUX86State *env = &v->cpu->env;
    uint64_t least = DUE_NEVER;

    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        struct VCoreCounter *c = &v->counter[i];

        if (c->active && c->kind == VK_INSNS && c->in[vcore_user(env)]) {
            least = MIN(least, VCORE_MASK + 1 - c->value);
        }
    }
    env->vcore_due = least == DUE_NEVER ? DUE_NEVER : env->vcore_insns + least;
}

/* Brings the counters of instructions and cycles, and the books, up to now. */
static void fold_as(struct VCore *v, int user)
{
    CPUX86State *env = &v->cpu->env;
    struct VCoreAccess here = { .ip = env->eip };
    uint64_t insns = env->vcore_insns - v->insns_seen;
    uint64_t now = v->timer ? cycles(v) : 0, time = v->halted ? 0 : now - v->cycles_seen;

    v->insns_seen = env->vcore_insns;
    v->cycles_seen = now;
    vcore_book(v)->insns[user] += insns;
    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        struct VCoreCounter *c = &v->counter[i];

        if (!c->active || !c->in[user]) {
            continue;
        }
        if (c->kind == VK_INSNS) {
            add(v, i, insns, &here);
        } else if (c->kind == VK_TIME) {
            add(v, i, time * c->scale, &here);
        }
    }
}

void vcore_fold(struct VCore *v)
{
    fold_as(v, vcore_user(&v->cpu->env));
    set_due(v);
}

/* Wakes us where a counter of cycles may overflow. */
void vcore_arm_timer(struct VCore *v)
{
    uint64_t least = DUE_NEVER;

    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        struct VCoreCounter *c = &v->counter[i];

        if (c->active && c->kind == VK_TIME && (c->interrupt || vcore_records(v, i))) {
            least = MIN(least, (VCORE_MASK + 1 - c->value) / c->scale);
        }
    }
    if (least == DUE_NEVER) {
        timer_del(v->timer);
    } else {
        timer_mod(v->timer, (v->cycles_seen + least) / CYCLES_A_NS + 1);
    }
}

/* Umask 0x20: on an E-core loads that hit a modified line, which are not counted. */
static uint32_t d1_events(uint8_t umask, bool atom)
{
    return (umask & 0x01 ? EV_L1_HIT : 0) | (umask & 0x02 ? EV_L2_HIT : 0) |
           (umask & 0x04 ? EV_L3_HIT : 0) | (umask & 0x08 ? EV_L1_MISS : 0) |
           (umask & 0x10 ? EV_L2_MISS : 0) | (umask & 0x20 && !atom ? EV_L3_MISS : 0);
}

static uint32_t d0_events(uint8_t umask)
{
    switch (umask) {
    case 0x21:
        return EV_LOCKED;
    case 0x41:
        return EV_SPLIT_LD;
    case 0x42:
        return EV_SPLIT_ST;
    case 0x81:
        return EV_LOAD;
    case 0x82:
        return EV_STORE;
    case 0x83:
        return EV_LOAD | EV_STORE;
    }
    return 0;
}

/*
 * SDM volume 3, "Performance Monitoring Events"; memory events on PMC0-3 only, but on all counters
 * of an E-core (Intel's list of Gracemont's events). Panther Cove: intel_pnc_event_constraints.
 */
static void decode_event(struct VCore *v, unsigned i, struct VCoreCounter *c)
{
    uint8_t event = c->select, umask = c->select >> 8, cmask = c->select >> 24;
    bool invert = c->select >> 23 & 1, every_cycle = invert && cmask >= 10;
    bool atom = v->model->core_type == VCORE_ATOM, memory = i < (atom ? v->model->gp : 4);
    bool latency = memory && (v->model->version >= 5 || v->pebs_enable >> (32 + i) & 1);

    c->kind = VK_NONE;
    c->events = 0;
    if (event == 0x3c || ((event == 0xc0 || event == 0xc2) && every_cycle)) {
        c->kind = VK_TIME;
    } else if (event == 0xc0 && !cmask) {
        c->kind = VK_INSNS;
    } else if (event == 0x2e && umask == 0x4f) {
        c->events = EV_LLC_REF;
    } else if (event == 0x2e && umask == 0x41) {
        c->events = EV_LLC_MISS;
    } else if (event == 0xd0 && memory) {
        c->events = d0_events(umask);
    } else if (event == 0xd1 && memory) {
        c->events = d1_events(umask, atom);
    } else if (event == 0xd2 && umask == 0x20 && atom) {
        c->events = EV_L3_MISS;
    } else if (event == 0xcd && umask == 1 && (v->model->version >= 6 ? i > 1 : latency) && !atom) {
        c->events = EV_LATENCY;
    }
    if (c->events && !cmask && !invert) {
        c->kind = VK_MEMORY;
    }
}

static void decode_gp(struct VCore *v, unsigned i, struct VCoreCounter *c)
{
    decode_event(v, i, c);
    c->scale = 1;
    c->active = c->select >> 22 & 1;
    c->interrupt = c->select >> 20 & 1;
    c->in[0] = c->select >> 17 & 1;
    c->in[1] = c->select >> 16 & 1;
}

static void decode_fixed(struct VCore *v, unsigned i, struct VCoreCounter *c)
{
    c->select = v->fixed_ctrl >> (4 * i) & 0xf;
    c->kind = i == 0 ? VK_INSNS : VK_TIME;
    c->scale = i == 3 ? 5 : 1;          /* slots: five a cycle on Ice Lake */
    c->active = c->select & 3;
    c->interrupt = c->select >> 3 & 1;
    c->in[0] = c->select & 1;
    c->in[1] = c->select >> 1 & 1;
}

static void set_flag(CPUX86State *env, uint32_t flag, bool on)
{
    env->hflags = on ? env->hflags | flag : env->hflags & ~flag;
}

/* After any change of what counts: what follows from the registers. */
void vcore_refresh(struct VCore *v)
{
    CPUX86State *env = &v->cpu->env;
    bool insns = v->truth;

    v->events[0] = v->events[1] = 0;
    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        struct VCoreCounter *c = &v->counter[i];
        struct VCoreAccess value = { .va = c->value };
        bool was = c->active;

        if (i < VCORE_GP) {
            decode_gp(v, i, c);
        } else {
            decode_fixed(v, i - VCORE_GP, c);
        }
        c->active &= c->kind != VK_NONE && v->global_ctrl & vcore_bit(i);
        if (c->active != was) {
            vcore_truth_write(v, was ? 'V' : 'A', vcore_bit(i), &value, c->select);
        }
        if (!c->active) {
            continue;
        }
        insns |= c->kind == VK_INSNS;
        for (int user = 0; user < 2; user++) {
            v->events[user] |= c->in[user] ? c->events : 0;
        }
    }
    set_flag(env, HF_VCORE_MEM_MASK, v->events[0] | v->events[1]);
    set_flag(env, HF_VCORE_INSNS_MASK, insns);
    set_due(v);
    vcore_arm_timer(v);
}

/* Ends the block and runs the instruction at @ra again, alone. */
static void run_again(struct VCore *v, uintptr_t ra, unsigned from, bool known)
{
    CPUState *cs = CPU(v->cpu);

    cpu_restore_state(cs, ra);
    v->again = true;
    v->again_from = from;
    v->again_known = known;
    cs->can_do_io = 1;
    vcore_kick(v);
    cs->cflags_next_tb = 1 | CF_LAST_IO | CF_NOIRQ | curr_cflags(cs);
    cpu_loop_exit_noexc(cs);
}

static bool counts(struct VCoreCounter *c, uint32_t events, int user)
{
    return c->active && c->kind == VK_MEMORY && c->in[user] && c->events & events;
}

static bool will_record(struct VCore *v, uint32_t events, int user)
{
    for (unsigned i = 0; i < VCORE_GP; i++) {
        struct VCoreCounter *c = &v->counter[i];

        if (counts(c, events, user) && vcore_records(v, i) &&
            (v->armed & vcore_bit(i) || c->value == VCORE_MASK)) {
            return true;
        }
    }
    return false;
}

/* An armed counter records its next event, or a later one (pebs-arm), which it also counts. */
static void fire_armed(struct VCore *v, unsigned i, const struct VCoreAccess *a)
{
    if (--v->counter[i].wait) {
        return;
    }
    v->armed &= ~vcore_bit(i);
    if (v->cpu->vcore.armed_status) {
        v->status &= ~vcore_bit(i);
    }
    take(v, i, a);
}

/*
 * Events are not only loads and stores as such where some counter counts others: a PMI is late
 * by those, and of a program's references a file would take gigabytes (truth-references).
 */
static void count(struct VCore *v, const struct VCoreAccess *a, int user)
{
    bool other = !(v->events[user] & ~EV_REFERENCES);
    uint64_t mask = 0;

    for (unsigned i = 0; i < VCORE_GP; i++) {
        struct VCoreCounter *c = &v->counter[i];

        if (!counts(c, a->events, user)) {
            continue;
        }
        mask |= vcore_bit(i);
        other |= c->events & ~EV_REFERENCES;
        if (v->armed & v->pebs_enable & vcore_bit(i)) {
            fire_armed(v, i, a);
        }
        add(v, i, 1, a);
    }
    if (other || v->cpu->vcore.truth_references) {
        vcore_truth_write(v, 'E', mask, a, a->events);
    }
    if (other && v->pmi_wait && !--v->pmi_wait) {
        vcore_kick(v);
    }
}

static uint8_t load_source(struct VCoreHit hit)
{
    static const uint8_t source[] = { 0x00, 0x01, 0x03, 0x04, 0x0c };

    return hit.modified ? 0x07 : source[hit.level];
}

static void classify_load(struct VCore *v, struct VCoreAccess *a, struct VCoreHit hit, uint32_t how)
{
    static const uint32_t levels[] = {
        0, EV_L1_HIT, EV_L2_HIT | EV_L1_MISS, EV_L3_HIT | EV_L1_MISS | EV_L2_MISS,
        EV_L1_MISS | EV_L2_MISS | EV_L3_MISS,
    };

    a->events |= EV_LOAD | levels[hit.level];
    a->source = load_source(hit);
    if (how & VCORE_LOCKED) {
        a->events |= EV_LOCKED;
        a->source |= 1 << 5;
    }
    if (a->latency > (v->ld_lat & 0xffff)) {
        a->events |= EV_LATENCY;
    }
}

static void classify(struct VCore *v, struct VCoreAccess *a, uint32_t how)
{
    bool store = how & VCORE_STORE;
    bool split = (a->va & 63) + (1u << (how & VCORE_SIZE)) > 64;
    struct VCoreHit hit = vcore_cache_access(v->cache, a->pa, store);

    a->level = hit.level;
    a->latency = v->model->latency[hit.level - 1];
    a->events = (hit.level > 2 ? EV_LLC_REF : 0) | (hit.level > 3 ? EV_LLC_MISS : 0);
    if (store) {
        a->events |= EV_STORE | (split ? EV_SPLIT_ST : 0);
        a->source = hit.level == 1;
    } else {
        a->events |= split ? EV_SPLIT_LD : 0;
        classify_load(v, a, hit, how);
    }
}

/* False where the access would fault or is not to memory: it counts nothing. */
static bool translate(CPUX86State *env, struct VCoreAccess *a, bool store)
{
    CPUTLBEntryFull *full;
    void *host;
    int flags = probe_access_full(env, a->va, store ? MMU_DATA_STORE : MMU_DATA_LOAD,
                                  cpu_mmu_index(env, false), true, &host, &full, 0);

    if (flags & (TLB_INVALID_MASK | TLB_MMIO)) {
        return false;
    }
    a->pa = full->phys_addr | (a->va & ~TARGET_PAGE_MASK);
    return true;
}

void helper_vcore_access(CPUX86State *env, target_ulong va, target_ulong ip, uint32_t how)
{
    struct VCore *v = env->vcore;
    struct VCoreAccess a = { .va = va, .ip = ip };
    unsigned number = how >> VCORE_NUMBER_SHIFT;
    int user = vcore_user(env);

    if (v->again && number < v->again_from) {
        return;
    }
    if (v->again && v->again_known && number == v->again_from) {
        a = v->event;
    } else if (translate(env, &a, how & VCORE_STORE)) {
        classify(v, &a, how);
    }
    if (how & VCORE_REST || !(a.events & v->events[user])) {
        return;
    }
    if (!v->again && will_record(v, a.events, user)) {
        v->event = a;
        run_again(v, GETPC(), number, true);
    }
    count(v, &a, user);
}

static bool insn_will_record(struct VCore *v, CPUX86State *env)
{
    for (unsigned i = 0; i < VCORE_COUNTERS; i++) {
        struct VCoreCounter *c = &v->counter[i];

        if (c->active && c->kind == VK_INSNS && c->in[vcore_user(env)] && vcore_records(v, i)) {
            return true;
        }
    }
    return false;
}

void helper_vcore_insns_due(CPUX86State *env)
{
    struct VCore *v = env->vcore;

    if (!v->again && insn_will_record(v, env)) {
        run_again(v, GETPC(), 0, false);
    }
    vcore_fold(v);
}

/* Under -icount instructions alone take time; what else takes some is added. */
void vcore_pass(struct VCore *v, uint32_t ns)
{
    if (!ns) {
        return;
    }
    seqlock_write_lock(&timers_state.vm_clock_seqlock, &timers_state.vm_clock_lock);
    qatomic_set_i64(&timers_state.qemu_icount_bias, timers_state.qemu_icount_bias + ns);
    seqlock_write_unlock(&timers_state.vm_clock_seqlock, &timers_state.vm_clock_lock);
    /* Timers are as much earlier. */
    cpu_exit(CPU(v->cpu));
}

static void deliver_pmi(struct VCore *v)
{
    struct VCoreAccess here = { .ip = v->cpu->env.eip };

    if (apic_deliver_pmi(v->cpu->apic_state)) {
        vcore_pass(v, v->cpu->vcore.pmi_ns);
        vcore_truth_write(v, 'P', v->status, &here, 0);
        vcore_prod_came(here.ip, true);
    } else {
        vcore_truth_write(v, 'p', v->status, &here, 0);
        vcore_prod_came(here.ip, false);
        v->pmi_latched = v->cpu->vcore.latch_pmi;
    }
}

void vcore_lvtpc_written(X86CPU *cpu)
{
    struct VCore *v = cpu->env.vcore;

    if (v && v->pmi_latched) {
        v->pmi_latched = false;
        v->pmi = true;
        vcore_kick(v);
    }
}

/* Always the same, or drawn from 1 .. latency (pmi-jitter), the same in each run. */
static uint32_t late(struct VCore *v, uint32_t latency)
{
    if (!v->cpu->vcore.pmi_jitter) {
        return latency;
    }
    v->random = v->random * 6364136223846793005ull + 1442695040888963407ull;
    return 1 + (v->random >> 33) % latency;
}

static void pmi_due(struct VCore *v)
{
    uint32_t latency = v->cpu->vcore.pmi_latency;
    bool waited = v->pmi_late && !v->pmi_wait;  /* the event of this boundary may ask anew */

    if (!waited && v->pmi && latency && v->events[0] | v->events[1]) {
        v->pmi = false;
        v->pmi_wait = v->pmi_wait ? v->pmi_wait : late(v, latency);
        v->pmi_late = true;
        return;
    }
    if (v->pmi || waited) {
        v->pmi = v->pmi_late = false;
        v->pmi_wait = 0;
        deliver_pmi(v);
    }
}

/* Ahead of all other instructions, whatever else is pending (CPU_INTERRUPT_POLL goes first). */
static bool nmi_comes(struct VCore *v)
{
    return CPU(v->cpu)->interrupt_request & CPU_INTERRUPT_NMI &&
           !(v->cpu->env.hflags2 & HF2_NMI_MASK);
}

/*
 * A record comes behind an instruction: where a counter of cycles overflows faster than we come
 * from one boundary to the next, the next instruction runs all the same. Not before an NMI,
 * though: a PMI would be late by it.
 */
static void run_next(struct VCore *v)
{
    CPUState *cs = CPU(v->cpu);

    if (!nmi_comes(v)) {
        cs->cflags_next_tb = 1 | CF_LAST_IO | CF_NOIRQ | curr_cflags(cs);
    }
}

bool vcore_lands(CPUX86State *env)
{
    return env->vcore->land_at && vcore_clock(env->vcore) >= env->vcore->land_at;
}

/* Between two instructions, before any interrupt is taken; BQL held. */
void vcore_boundary(X86CPU *cpu)
{
    struct VCore *v = cpu->env.vcore;
    bool recorded;

    v->again = false;
    vcore_fold(v);
    recorded = v->record;
    if (recorded) {
        vcore_pebs_record(v);
    }
    if (vcore_lands(&cpu->env)) {
        v->land_at = 0;
        vcore_pebs_land(v, 0);
    }
    v->halted = false;
    pmi_due(v);
    if (recorded) {
        run_next(v);
    }
    set_due(v);
    vcore_arm_timer(v);
}

void vcore_privilege(CPUX86State *env, int old_cpl)
{
    struct VCore *v = env->vcore;

    fold_as(v, old_cpl == 3);
    if (vcore_user(env)) {
        v->depth = 0;
    }
    set_due(v);
}

/* An interrupt or exception is about to be delivered. */
void vcore_enter(CPUX86State *env, int vector)
{
    struct VCore *v = env->vcore;

    vcore_fold(v);
    v->halted = false;
    if (v->depth < ARRAY_SIZE(v->context)) {
        v->context[v->depth++] = (struct VCoreContext){ vector & 0xff, env->vcore_insns };
    }
    v->book[vector & 0xff].entries++;
}

void vcore_iret(CPUX86State *env)
{
    struct VCore *v = env->vcore;
    struct VCoreBook *book = vcore_book(v);

    vcore_fold(v);
    if (v->depth) {
        v->depth--;
        book->longest = MAX(book->longest, env->vcore_insns - v->context[v->depth].insns);
    }
}

void vcore_halt(CPUX86State *env)
{
    vcore_fold(env->vcore);
    env->vcore->halted = true;
}
