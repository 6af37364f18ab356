// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The registers: SDM volume 4 ("Model-Specific Registers") and volume 3, 20.2
 * ("Architectural Performance Monitoring"); CPUID leaves 0, 1, 4, 7, 0AH and 1AH.
 */
#include "vcore-internal.h"
#include "qapi/error.h"
#include "exec/exec-all.h"
#include "sysemu/cpu-timers.h"
#include "tcg/helper-tcg.h"

#define MSR_PERFCTR0        0x0c1
#define MSR_OFFCORE_RSP0    0x1a6
#define MSR_PREFETCH        0x1a4
#define MSR_ARCH_CAPS       0x10a
#define MSR_PERF_CAPS       0x345
#define MSR_FIXED_CTR_CTRL  0x38d
#define MSR_STATUS          0x38e
#define MSR_CTRL            0x38f
#define MSR_OVF_CTRL        0x390
#define MSR_STATUS_SET      0x391
#define MSR_INUSE           0x392
#define MSR_PEBS_ENABLE     0x3f1
#define MSR_PEBS_DATA_CFG   0x3f2
#define MSR_LD_LAT          0x3f6
#define MSR_FRONTEND        0x3f7
#define MSR_DS_AREA         0x600
#define MSR_DEBUGCTL_       0x1d9

#define PERF_CAP_FULL_WRITE (1 << 13)
#define PERF_CAP_BASELINE   (1 << 14)
#define MISC_PERFMON        (1 << 7)
#define MISC_NO_BTS         (1 << 11)
#define MISC_NO_PEBS        (1 << 12)
#define MISC_FIXED          (MISC_PERFMON | MISC_NO_BTS | MISC_NO_PEBS)
#define DATA_CFG_VALID      0xff00000full
#define DATA_CFG_COUNTERS   (1ull << 4)     /* of bits 47:32, and of fixed ones of 55:48 */
#define STATUS_BITS         (1ull << 62 | 1ull << 63)
#define STATUS_BITS_ARCH    (1ull << 54 | 1ull << 63)
#define LANDING_NS          500000
#define UCODE_REVISION      (0x0f000000ull << 32)
#define CPUID_7_0_EDX_HYBRID (1u << 15)
#define CPUID_7_1_EAX_PERFMON_EXTENDED (1u << 8)
#define LEAF_PERFMON_EXTENDED 0x23

static void timer_fired(void *opaque)
{
    struct VCore *v = opaque;

    cpu_interrupt(CPU(v->cpu), CPU_INTERRUPT_VCORE);
}

bool vcore_realize(X86CPU *cpu, Error **errp)
{
    const char *name = cpu->apic_id && cpu->vcore.others ? cpu->vcore.others : cpu->vcore.model;
    const struct VCoreModel *model = vcore_model(name);
    struct VCore *v;

    if (!model) {
        error_setg(errp, "vcore: no model '%s'", name);
        return false;
    }
    if (cpu->vcore.in_flight >= VCORE_FLIGHT_MAX) {
        error_setg(errp, "vcore-in-flight: at most %d", VCORE_FLIGHT_MAX - 1);
        return false;
    }
    if ((cpu->vcore.record_ns || cpu->vcore.pmi_ns) && !icount_enabled()) {
        error_setg(errp, "vcore-record-ns, vcore-pmi-ns: only with -icount");
        return false;
    }
    v = g_new0(struct VCore, 1);
    v->cpu = cpu;
    v->model = model;
    v->cache = vcore_cache_new(model);
    v->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, timer_fired, v);
    v->landing = timer_new_ns(QEMU_CLOCK_VIRTUAL, timer_fired, v);
    if (cpu->vcore.truth) {
        vcore_truth_open(v, cpu->vcore.truth);
        if (!v->truth) {
            error_setg(errp, "vcore-truth: cannot write %s", cpu->vcore.truth);
            return false;
        }
    }
    if (!cpu->ucode_rev) {
        cpu->ucode_rev = UCODE_REVISION;
    }
    cpu->env.vcore = v;
    return true;
}

void vcore_reset(CPUX86State *env)
{
    struct VCore *v = env->vcore;

    memset(v->counter, 0, sizeof(v->counter));
    v->fixed_ctrl = v->status = v->pebs_enable = v->data_cfg = v->ds_area = 0;
    v->pebs_base = v->pebs_index = 0;
    memset(v->cfg_c, 0, sizeof(v->cfg_c));
    v->global_ctrl = MAKE_64BIT_MASK(0, v->model->gp);
    v->armed = v->record = 0;
    v->pmi = v->again = v->halted = false;
    v->depth = v->flying = v->land_at = 0;
    env->msr_ia32_misc_enable &= ~(uint64_t)MISC_FIXED;
    env->msr_ia32_misc_enable |= MISC_PERFMON | MISC_NO_BTS;
    vcore_refresh(v);
}

/* One level of CPUID.4: associativity and sets as the model has them. */
static void cpuid_cache(struct VCoreGeometry g, unsigned slices, bool inclusive,
                        uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    *ebx = 63 | (g.ways - 1) << 22;
    *ecx = g.sets * slices - 1;
    *edx = (inclusive ? 2 : 0) | (slices > 1 ? 4 : 0);
}

static void cpuid_perfmon(const struct VCoreModel *m, uint32_t *eax, uint32_t *ebx,
                          uint32_t *ecx, uint32_t *edx)
{
    unsigned gp = m->core_type ? m->common_gp : m->gp;
    unsigned fixed = m->core_type ? m->common_fixed : m->fixed;

    *eax = m->version | gp << 8 | VCORE_WIDTH << 16 | 7 << 24;
    *ebx = 1 << 5 | 1 << 6;             /* branches: not counted */
    *ecx = m->version >= 5 ? MAKE_64BIT_MASK(0, fixed) : 0;
    *edx = fixed | VCORE_WIDTH << 5 | (m->version >= 5 ? 1 << 15 : 0);
}

void vcore_cpuid(CPUX86State *env, uint32_t index, uint32_t count,
                 uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    const struct VCoreModel *m = env->vcore->model;

    if (index == 0 && m->architectural) {
        *eax = MAX(*eax, LEAF_PERFMON_EXTENDED);
    } else if (index == 1) {
        *edx |= m->architectural ? 0 : CPUID_DTS;
        *ecx |= CPUID_EXT_PDCM | (m->architectural ? 0 : CPUID_EXT_DTES64);
    } else if (index == 4 && count == 0) {
        cpuid_cache(m->l1, 1, false, ebx, ecx, edx);
    } else if (index == 4 && count == 2) {
        cpuid_cache(m->l2, 1, false, ebx, ecx, edx);
    } else if (index == 4 && count == 3) {
        cpuid_cache(m->l3, 1u << m->slice_bits, m->inclusive, ebx, ecx, edx);
    } else if (index == 7 && count == 0 && m->arch_capabilities) {
        *eax = MAX(*eax, m->architectural);
        *edx |= CPUID_7_0_EDX_ARCH_CAPABILITIES | (m->core_type ? CPUID_7_0_EDX_HYBRID : 0);
    } else if (index == 7 && count == 1 && m->architectural) {
        *eax |= CPUID_7_1_EAX_PERFMON_EXTENDED;
    } else if (index == 0xa) {
        cpuid_perfmon(m, eax, ebx, ecx, edx);
    } else if (index == 0x1a && count == 0) {
        *eax = (uint32_t)m->core_type << 24;
    } else if (index == LEAF_PERFMON_EXTENDED && m->architectural) {
        vcore_arch_cpuid(m, count, eax, ebx, ecx, edx);
    } else if (index == VCORE_MARK) {
        vcore_truth_write(env->vcore, 'M', 0, NULL, count);
    } else if (index == VCORE_PROD) {
        vcore_prod_set(env);
    }
}

static struct VCoreCounter *counter_of(struct VCore *v, uint32_t msr, bool *full)
{
    *full = false;
    if (msr - MSR_PERFCTR0 < v->model->gp) {
        return &v->counter[msr - MSR_PERFCTR0];
    }
    *full = true;
    if (msr - MSR_PMC0 < v->model->gp && v->model->capabilities & PERF_CAP_FULL_WRITE) {
        return &v->counter[msr - MSR_PMC0];
    }
    if (msr - MSR_FIXED_CTR0 < v->model->fixed) {
        return &v->counter[VCORE_GP + msr - MSR_FIXED_CTR0];
    }
    return NULL;
}

static uint64_t counters_mask(const struct VCoreModel *m)
{
    return MAKE_64BIT_MASK(0, m->gp) | MAKE_64BIT_MASK(32, m->fixed);
}

static uint64_t data_cfg_mask(const struct VCoreModel *m)
{
    uint64_t counters = MAKE_64BIT_MASK(32, m->gp) | MAKE_64BIT_MASK(48, m->fixed);

    return DATA_CFG_VALID | (m->pebs_format >= 6 ? DATA_CFG_COUNTERS | counters : 0);
}

/* A register that only holds its value, and the bits that it can hold. */
static uint64_t *plain(struct VCore *v, uint32_t msr, uint64_t *valid)
{
    bool baseline = v->model->capabilities & PERF_CAP_BASELINE;

    *valid = UINT64_MAX;
    switch (msr) {
    case MSR_OFFCORE_RSP0:
    case MSR_OFFCORE_RSP0 + 1:
        return &v->offcore[msr - MSR_OFFCORE_RSP0];
    case MSR_PREFETCH:
        *valid = 0xf;
        return &v->prefetch;
    case MSR_FIXED_CTR_CTRL:
        *valid = MAKE_64BIT_MASK(0, 4 * v->model->fixed);
        *valid |= baseline ? 0x1111ull << 32 & MAKE_64BIT_MASK(32, 4 * v->model->fixed) : 0;
        return &v->fixed_ctrl;
    case MSR_CTRL:
        *valid = counters_mask(v->model) | v->model->global_ctrl;
        return &v->global_ctrl;
    case MSR_PEBS_ENABLE:
        *valid = v->model->pebs_enable;
        return v->model->architectural ? NULL : &v->pebs_enable;
    case MSR_PEBS_DATA_CFG:
        *valid = data_cfg_mask(v->model);
        return baseline ? &v->data_cfg : NULL;
    case MSR_LD_LAT:
        *valid = 0xffff;
        return &v->ld_lat;
    case MSR_FRONTEND:
        return v->model->version >= 4 ? &v->frontend : NULL;
    case MSR_DS_AREA:
        return v->model->architectural ? NULL : &v->ds_area;
    case MSR_DEBUGCTL_:
        *valid = 0xffff;
        return &v->debugctl;
    }
    return vcore_arch_register(v, msr, valid);
}

bool vcore_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val, uintptr_t ra)
{
    struct VCore *v = env->vcore;
    struct VCoreCounter *c;
    uint64_t valid, *reg;
    bool full;

    vcore_fold(v);
    vcore_book(v)->rdmsr++;
    msr = vcore_arch_alias(v, msr);
    c = counter_of(v, msr, &full);
    reg = plain(v, msr, &valid);
    if (c || reg) {
        *val = c ? c->value : *reg;
        return true;
    }
    if (msr - MSR_EVNTSEL0 < v->model->gp) {
        *val = v->counter[msr - MSR_EVNTSEL0].select;
        return true;
    }
    switch (msr) {
    case MSR_PERF_CAPS:
        *val = v->model->capabilities;
        return true;
    case MSR_ARCH_CAPS:
        *val = v->model->arch_capabilities;
        return v->model->arch_capabilities;
    case MSR_STATUS:
        *val = v->status;
        return true;
    case MSR_OVF_CTRL:
    case MSR_STATUS_SET:
        *val = 0;
        return true;
    case MSR_INUSE:
        *val = v->global_ctrl & counters_mask(v->model);
        return v->model->version >= 4;
    }
    return false;
}

bool vcore_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val)
{
    struct VCore *v = env->vcore;
    bool fixed = index >> 30 & 1;
    uint32_t i = index & ~(1u << 30);

    if (i >= (fixed ? v->model->fixed : v->model->gp)) {
        return false;
    }
    vcore_fold(v);
    *val = v->counter[fixed ? VCORE_GP + i : i].value;
    return true;
}

static bool canonical(uint64_t va)
{
    return (int64_t)(va << 16) >> 16 == (int64_t)va;
}

static void write_counter(CPUX86State *env, struct VCoreCounter *c, bool full, uint64_t val,
                          uintptr_t ra)
{
    if (full && val & ~VCORE_MASK) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
    }
    c->value = (full ? val : (uint64_t)(int64_t)(int32_t)val) & VCORE_MASK;
}

static void write_plain(CPUX86State *env, uint32_t msr, uint64_t *reg, uint64_t valid,
                        uint64_t val, uintptr_t ra)
{
    struct VCore *v = env->vcore;
    uint64_t counted = v->global_ctrl, recorded = v->pebs_enable & counted;

    if (val & ~valid || (msr == MSR_DS_AREA && !canonical(val))) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
    }
    *reg = val;
    vcore_arch_refresh(v);
    if (!v->cpu->vcore.keep_armed) {
        v->armed &= v->pebs_enable;
    }
    if (v->flying && recorded & ~(v->pebs_enable & v->global_ctrl)) {
        v->land_at = vcore_clock(v) + LANDING_NS;
        timer_mod(v->landing, v->land_at);
    }
    if (v->pmi_late && counted & ~v->global_ctrl) {
        v->pmi_wait = 0;                /* no event will come to wait for */
        vcore_kick(v);
    }
}

/* Registers that do something; false where @msr is none of them. */
static bool write_special(CPUX86State *env, uint32_t msr, uint64_t val, uintptr_t ra)
{
    struct VCore *v = env->vcore;

    switch (msr) {
    case MSR_OVF_CTRL:
        v->status &= ~val;
        return true;
    case MSR_STATUS_SET:
        if (v->model->version < 4) {
            break;
        }
        v->status |= val & (counters_mask(v->model) |
                            (v->model->architectural ? STATUS_BITS_ARCH : STATUS_BITS));
        return true;
    case MSR_IA32_MISC_ENABLE:
        env->msr_ia32_misc_enable &= MISC_FIXED;
        env->msr_ia32_misc_enable |= val & ~(uint64_t)MISC_FIXED;
        return true;
    case MSR_PERF_CAPS:
    case MSR_STATUS:
    case MSR_INUSE:
    case MSR_PEBS_DATA_CFG:             /* here where the part has none */
    case MSR_FRONTEND:
    case MSR_PEBS_ENABLE:
    case MSR_DS_AREA:
        break;
    default:
        if (vcore_arch_absent(v, msr)) {
            break;
        }
        return false;
    }
    raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
}

bool vcore_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val, uintptr_t ra)
{
    struct VCore *v = env->vcore;
    struct VCoreCounter *c, *written;
    uint64_t valid, *reg;
    bool full;

    vcore_fold(v);
    vcore_book(v)->wrmsr++;
    msr = vcore_arch_alias(v, msr);
    c = written = counter_of(v, msr, &full);
    reg = plain(v, msr, &valid);
    if (msr - MSR_EVNTSEL0 < v->model->gp) {
        written = &v->counter[msr - MSR_EVNTSEL0];
        reg = &written->select;
        valid = v->model->evtsel;
    }
    vcore_book(v)->running += written && written->active;
    if (c) {
        write_counter(env, c, full, val, ra);
    } else if (reg) {
        write_plain(env, msr, reg, valid, val, ra);
    } else {
        return write_special(env, msr, val, ra);
    }
    vcore_refresh(v);
    return true;
}
