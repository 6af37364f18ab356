/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The virtual core's own state, shared by its files only. */
#ifndef I386_VCORE_INTERNAL_H
#define I386_VCORE_INTERNAL_H

#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "vcore-truth.h"

#define VCORE_GP        8
#define VCORE_FIXED     4
#define VCORE_COUNTERS  (VCORE_GP + VCORE_FIXED)
#define VCORE_WIDTH     48
#define VCORE_MASK      MAKE_64BIT_MASK(0, VCORE_WIDTH)
#define VCORE_LEVELS    4               /* L1, L2, L3, memory */

#define MSR_EVNTSEL0    0x186
#define MSR_FIXED_CTR0  0x309
#define MSR_PMC0        0x4c1

/* What one access counts as; a memory counter selects one of these. */
enum {
    EV_LOAD       = 1 << 0,
    EV_STORE      = 1 << 1,
    EV_L1_HIT     = 1 << 2,
    EV_L2_HIT     = 1 << 3,
    EV_L3_HIT     = 1 << 4,
    EV_L1_MISS    = 1 << 5,
    EV_L2_MISS    = 1 << 6,
    EV_L3_MISS    = 1 << 7,
    EV_LOCKED     = 1 << 8,
    EV_LATENCY    = 1 << 9,
    EV_LLC_REF    = 1 << 10,
    EV_LLC_MISS   = 1 << 11,
    EV_SPLIT_LD   = 1 << 12,
    EV_SPLIT_ST   = 1 << 13,
};

struct VCoreGeometry {
    unsigned sets, ways;                /* of one slice */
};

struct VCoreModel {
    const char *name;
    unsigned version;                   /* of architectural perfmon */
    unsigned gp, fixed, pebs_format;
    bool architectural;                 /* PEBS: vcore-archpebs.c */
    uint64_t capabilities;              /* IA32_PERF_CAPABILITIES */
    uint64_t pebs_enable;               /* bits that may be set */
    uint64_t evtsel;                    /* bits that may be set */
    uint64_t arch_capabilities;         /* IA32_ARCH_CAPABILITIES, 0: absent */
    uint64_t global_ctrl;               /* bits besides the counters' that may be set */
    uint8_t core_type;                  /* CPUID.1AH: EAX[31:24], 0: not a hybrid's core */
    uint8_t common_gp, common_fixed;    /* of a hybrid: what CPUID.0AH says */
    struct VCoreGeometry l1, l2, l3;
    unsigned slice_bits;
    uint64_t slice_mask[4];
    bool inclusive;                     /* the L3 */
    uint16_t latency[VCORE_LEVELS];
};

const struct VCoreModel *vcore_model(const char *name);

#define VCORE_ATOM      0x20            /* a core_type: Gracemont's events */

/* vcore-cache.c */
struct VCoreCache;
struct VCoreHit {
    uint8_t level;                      /* 1, 2, 3; 4 is memory */
    bool modified;                      /* found modified in another core */
};
struct VCoreCache *vcore_cache_new(const struct VCoreModel *model);
struct VCoreHit vcore_cache_access(struct VCoreCache *cache, uint64_t pa, bool store);

struct VCoreAccess {
    uint64_t va, pa, ip;
    uint32_t events;
    uint16_t latency;
    uint8_t source;                     /* as PEBS encodes it, SDM 20.3.4.4.2 */
    uint8_t level;
};

enum vcore_kind { VK_NONE, VK_MEMORY, VK_INSNS, VK_TIME };

struct VCoreCounter {
    uint64_t value;
    uint64_t select;                    /* EVNTSEL; of fixed ones the 4 bits */
    enum vcore_kind kind;
    uint32_t events;                    /* of VK_MEMORY */
    unsigned scale;                     /* of VK_TIME: counts a cycle */
    uint32_t wait;                      /* events until an armed one records */
    bool active;
    bool interrupt;
    bool in[2];                         /* counts in the kernel, in user space */
};

/* Where instructions go in the books: by interrupt being served. */
#define VCORE_OUTSIDE   256
struct VCoreBook {
    uint64_t entries, insns[2], rdmsr, wrmsr;
    uint64_t longest;                   /* from an entry to its IRET */
    uint64_t running;                   /* writes to a counter, or its event, while it counts */
};

/* An interrupt being served. */
struct VCoreContext {
    uint8_t vector;
    uint64_t insns;                     /* of the CPU when it was entered */
};

#define VCORE_RECORD_MAX 2048
struct VCoreRecord {
    uint32_t bytes;
    uint64_t mask;
    struct vcore_truth truth;
    uint8_t data[VCORE_RECORD_MAX];
};

static inline void vcore_put(struct VCoreRecord *r, uint64_t value)
{
    stq_le_p(r->data + r->bytes, value);
    r->bytes += 8;
}
#define VCORE_FLIGHT_MAX 8

struct VCore {
    X86CPU *cpu;
    const struct VCoreModel *model;
    struct VCoreCache *cache;

    struct VCoreCounter counter[VCORE_COUNTERS];
    uint64_t fixed_ctrl, global_ctrl, status, pebs_enable, data_cfg, ds_area;
    uint64_t ld_lat, frontend, prefetch, offcore[2], debugctl;
    uint64_t pebs_base, pebs_index, cfg_c[VCORE_COUNTERS];     /* of architectural PEBS */

    uint32_t events[2];                 /* any counter counts, by privilege */
    uint64_t armed, record;             /* bits of counters, as in GLOBAL_CTRL */
    struct VCoreAccess event;           /* what `record` is about */
    struct vcore_truth taken;           /* likewise */
    bool pmi, pmi_latched;
    bool pmi_late;                      /* waits for pmi_wait more events */
    uint32_t pmi_wait;
    uint64_t random;                    /* of pmi-jitter */

    /* An instruction executed again, alone, because it will be recorded. */
    bool again;
    unsigned again_from;                /* its accesses before are counted */
    bool again_known;                   /* `event` is that access, looked up */

    uint64_t prodded;                   /* instructions when vcore-prod.c last asked */

    uint64_t insns_seen, cycles_seen;
    bool halted;
    QEMUTimer *timer, *landing;

    unsigned flying;
    struct VCoreRecord flight[VCORE_FLIGHT_MAX];
    int64_t land_at;                    /* ns of the virtual clock, 0 = none is to land by time */

    FILE *truth;
    unsigned depth;
    struct VCoreContext context[16];
    struct VCoreBook book[VCORE_OUTSIDE + 1];
};

static inline uint64_t vcore_bit(unsigned i)
{
    return 1ull << (i < VCORE_GP ? i : 32 + i - VCORE_GP);
}

/* The book of the interrupt being served. */
static inline struct VCoreBook *vcore_book(struct VCore *v)
{
    return &v->book[v->depth ? v->context[v->depth - 1].vector : VCORE_OUTSIDE];
}

/* Bits of counters as the oracle's file has them. */
static inline uint16_t vcore_counters(uint64_t mask)
{
    return (mask & 0xff) | (mask >> 32 & 0xf) << 8;
}

static inline int vcore_user(CPUX86State *env)
{
    return (env->hflags & HF_CPL_MASK) == 3;
}

/* vcore-count.c */
void vcore_refresh(struct VCore *v);
void vcore_fold(struct VCore *v);
void vcore_arm_timer(struct VCore *v);
void vcore_kick(struct VCore *v);
void vcore_pass(struct VCore *v, uint32_t ns);
int64_t vcore_clock(struct VCore *v);
bool vcore_records(struct VCore *v, unsigned i);

/* vcore-pebs.c */
void vcore_pebs_record(struct VCore *v);
void vcore_pebs_land(struct VCore *v, unsigned keep);
void vcore_put_xmm(CPUX86State *env, struct VCoreRecord *r);
/* The counters' group: its header, and the values as the recorded instruction leaves them. */
void vcore_put_counters(struct VCore *v, struct VCoreRecord *r, uint32_t gp, uint32_t fixed);

/* vcore-archpebs.c */
void vcore_arch_cpuid(const struct VCoreModel *m, uint32_t count, uint32_t *eax, uint32_t *ebx,
                      uint32_t *ecx, uint32_t *edx);
/* From version 6 on counters have a second row of registers: the first row's name of @msr. */
uint32_t vcore_arch_alias(struct VCore *v, uint32_t msr);
/* One of that row that no model has. */
bool vcore_arch_absent(struct VCore *v, uint32_t msr);
/* A register that only holds its value, or NULL. */
uint64_t *vcore_arch_register(struct VCore *v, uint32_t msr, uint64_t *valid);
/* After a write of one: which counters record. */
void vcore_arch_refresh(struct VCore *v);
void vcore_arch_compose(struct VCore *v, struct VCoreRecord *r);
void vcore_arch_reload(struct VCore *v, uint64_t mask);
/* @place: set to the offset behind what is written, the buffer's end, the threshold. */
bool vcore_arch_append(struct VCore *v, struct VCoreRecord *r, uint64_t place[3]);

/* vcore-prod.c */
void vcore_prod_set(CPUX86State *env);
void vcore_prod_came(uint64_t ip, bool delivered);
void vcore_prod_write(const char *path);

/* vcore-truth.c */
void vcore_truth_open(struct VCore *v, const char *path);
void vcore_truth_write(struct VCore *v, char kind, uint64_t mask, const struct VCoreAccess *a,
                       uint64_t extra);
struct vcore_truth vcore_truth_of(struct VCore *v, char kind, uint64_t mask,
                                  const struct VCoreAccess *a, uint64_t extra);
void vcore_truth_put(struct VCore *v, const struct vcore_truth *t);
void vcore_truth_close(void);

#endif
