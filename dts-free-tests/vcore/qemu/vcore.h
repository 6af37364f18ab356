/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The virtual core: an Intel performance monitoring unit with PEBS for TCG.
 *
 * This header is all that the rest of QEMU sees of it. Without the property
 * `vcore` on the CPU, env->vcore is NULL and none of this does anything.
 */
#ifndef I386_VCORE_H
#define I386_VCORE_H

struct CPUArchState;
struct ArchCPU;
struct VCore;

/* The CPU's properties; docs/vcore.md says what each stands for. */
struct VCoreConfig {
    char *model;
    char *others;                       /* model of all CPUs but the first */
    char *truth;
    uint32_t pmi_latency;
    uint32_t in_flight;
    uint32_t arm;
    bool armed_status;
    bool latch_pmi;
    bool keep_armed;
    bool full_pmi;
    bool early_pmi;
    bool pmi_jitter;
    bool truth_references;
    bool fragments;
    uint32_t record_ns;                 /* under -icount */
    uint32_t pmi_ns;
};

#define VCORE_PROPERTIES \
    DEFINE_PROP_STRING("vcore", X86CPU, vcore.model), \
    DEFINE_PROP_STRING("vcore-others", X86CPU, vcore.others), \
    DEFINE_PROP_STRING("vcore-truth", X86CPU, vcore.truth), \
    DEFINE_PROP_UINT32("vcore-pmi-latency", X86CPU, vcore.pmi_latency, 0), \
    DEFINE_PROP_UINT32("vcore-in-flight", X86CPU, vcore.in_flight, 0), \
    DEFINE_PROP_UINT32("vcore-pebs-arm", X86CPU, vcore.arm, 0), \
    DEFINE_PROP_BOOL("vcore-armed-status", X86CPU, vcore.armed_status, false), \
    DEFINE_PROP_BOOL("vcore-latch-pmi", X86CPU, vcore.latch_pmi, false), \
    DEFINE_PROP_BOOL("vcore-keep-armed", X86CPU, vcore.keep_armed, false), \
    DEFINE_PROP_BOOL("vcore-full-pmi", X86CPU, vcore.full_pmi, false), \
    DEFINE_PROP_BOOL("vcore-early-pmi", X86CPU, vcore.early_pmi, false), \
    DEFINE_PROP_BOOL("vcore-pmi-jitter", X86CPU, vcore.pmi_jitter, false), \
    DEFINE_PROP_BOOL("vcore-truth-references", X86CPU, vcore.truth_references, true), \
    DEFINE_PROP_BOOL("vcore-fragments", X86CPU, vcore.fragments, false), \
    DEFINE_PROP_UINT32("vcore-record-ns", X86CPU, vcore.record_ns, 0), \
    DEFINE_PROP_UINT32("vcore-pmi-ns", X86CPU, vcore.pmi_ns, 0)

bool vcore_realize(struct ArchCPU *cpu, Error **errp);
void vcore_reset(struct CPUArchState *env);
void vcore_cpuid(struct CPUArchState *env, uint32_t index, uint32_t count,
                 uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx);

/* True if the MSR is the virtual core's; may raise #GP at @ra. */
bool vcore_rdmsr(struct CPUArchState *env, uint32_t msr, uint64_t *val, uintptr_t ra);
bool vcore_wrmsr(struct CPUArchState *env, uint32_t msr, uint64_t val, uintptr_t ra);
/* False where the counter does not exist. */
bool vcore_rdpmc(struct CPUArchState *env, uint32_t index, uint64_t *val);

void vcore_privilege(struct CPUArchState *env, int old_cpl);
void vcore_enter(struct CPUArchState *env, int vector);
void vcore_iret(struct CPUArchState *env);
void vcore_halt(struct CPUArchState *env);
void vcore_boundary(struct ArchCPU *cpu);
/* Records in flight are due in memory: before an interrupt is taken, which may look for them. */
bool vcore_lands(struct CPUArchState *env);
void vcore_lvtpc_written(struct ArchCPU *cpu);

#endif
