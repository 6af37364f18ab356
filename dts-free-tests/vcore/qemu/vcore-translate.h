/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The virtual core's part of the translator; translate.c includes it once its
 * DisasContext is known. Every load and store of guest code then goes through
 * gen_vcore_access(), which emits nothing unless a memory event counts.
 */
#include "vcore-access.h"

static void gen_vcore_access(DisasContext *s, TCGv addr, uint32_t how)
{
    TCGv ip;

    if (!(s->flags & HF_VCORE_MEM_MASK)) {
        return;
    }
    /* Vector accesses go on through tmp0 after their first eight bytes. */
    if (addr == s->tmp0) {
        how |= VCORE_REST;
    }
    how |= s->vcore_number++ << VCORE_NUMBER_SHIFT;
    ip = tcg_temp_new();
    if (s->pc_save == -1) {
        tcg_gen_movi_tl(ip, 0);
    } else {
        tcg_gen_addi_tl(ip, cpu_eip, s->base.pc_next - s->pc_save);
    }
    gen_helper_vcore_access(cpu_env, addr, ip, tcg_constant_i32(how));
    tcg_temp_free(ip);
}

static void gen_vcore_atomic(DisasContext *s, TCGv addr, MemOp op)
{
    gen_vcore_access(s, addr, (op & MO_SIZE) | VCORE_LOCKED);
    gen_vcore_access(s, addr, (op & MO_SIZE) | VCORE_STORE);
}

static void gen_vcore_insn_add(DisasContext *s, int delta)
{
    TCGv_i64 insns;

    if (!(s->flags & HF_VCORE_INSNS_MASK)) {
        return;
    }
    insns = tcg_temp_new_i64();
    tcg_gen_ld_i64(insns, cpu_env, offsetof(CPUX86State, vcore_insns));
    tcg_gen_addi_i64(insns, insns, delta);
    tcg_gen_st_i64(insns, cpu_env, offsetof(CPUX86State, vcore_insns));
    tcg_temp_free_i64(insns);
}

/* An instruction begins: counts it, calls where a counter overflows with it. */
static void gen_vcore_insn(DisasContext *s)
{
    TCGv_i64 insns, due;
    TCGLabel *not_due;

    s->vcore_number = 0;
    if (!(s->flags & HF_VCORE_INSNS_MASK)) {
        return;
    }
    gen_vcore_insn_add(s, 1);
    not_due = gen_new_label();
    insns = tcg_temp_new_i64();
    due = tcg_temp_new_i64();
    tcg_gen_ld_i64(insns, cpu_env, offsetof(CPUX86State, vcore_insns));
    tcg_gen_ld_i64(due, cpu_env, offsetof(CPUX86State, vcore_due));
    tcg_gen_brcond_i64(TCG_COND_LTU, insns, due, not_due);
    gen_helper_vcore_insns_due(cpu_env);
    gen_set_label(not_due);
    tcg_temp_free_i64(insns);
    tcg_temp_free_i64(due);
    if (s->base.pc_next - vcore_range.start < vcore_range.bytes) {
        gen_helper_vcore_place(cpu_env, tcg_constant_tl(s->base.pc_next));
    }
}

#define tcg_gen_qemu_ld_i32(val, addr, idx, op) \
    (gen_vcore_access(s, addr, (op) & MO_SIZE), (tcg_gen_qemu_ld_i32)(val, addr, idx, op))
#define tcg_gen_qemu_ld_i64(val, addr, idx, op) \
    (gen_vcore_access(s, addr, (op) & MO_SIZE), (tcg_gen_qemu_ld_i64)(val, addr, idx, op))
#define tcg_gen_qemu_st_i32(val, addr, idx, op) \
    (gen_vcore_access(s, addr, ((op) & MO_SIZE) | VCORE_STORE), \
     (tcg_gen_qemu_st_i32)(val, addr, idx, op))
#define tcg_gen_qemu_st_i64(val, addr, idx, op) \
    (gen_vcore_access(s, addr, ((op) & MO_SIZE) | VCORE_STORE), \
     (tcg_gen_qemu_st_i64)(val, addr, idx, op))

#define VCORE_RMW(name, ret, addr, val, idx, op) \
    (gen_vcore_atomic(s, addr, op), (name)(ret, addr, val, idx, op))
#define tcg_gen_atomic_add_fetch_i64(...)   VCORE_RMW(tcg_gen_atomic_add_fetch_i64, __VA_ARGS__)
#define tcg_gen_atomic_fetch_add_i64(...)   VCORE_RMW(tcg_gen_atomic_fetch_add_i64, __VA_ARGS__)
#define tcg_gen_atomic_and_fetch_i64(...)   VCORE_RMW(tcg_gen_atomic_and_fetch_i64, __VA_ARGS__)
#define tcg_gen_atomic_or_fetch_i64(...)    VCORE_RMW(tcg_gen_atomic_or_fetch_i64, __VA_ARGS__)
#define tcg_gen_atomic_xor_fetch_i64(...)   VCORE_RMW(tcg_gen_atomic_xor_fetch_i64, __VA_ARGS__)
#define tcg_gen_atomic_fetch_or_i64(...)    VCORE_RMW(tcg_gen_atomic_fetch_or_i64, __VA_ARGS__)
#define tcg_gen_atomic_fetch_and_i64(...)   VCORE_RMW(tcg_gen_atomic_fetch_and_i64, __VA_ARGS__)
#define tcg_gen_atomic_fetch_xor_i64(...)   VCORE_RMW(tcg_gen_atomic_fetch_xor_i64, __VA_ARGS__)
#define tcg_gen_atomic_xchg_i64(...)        VCORE_RMW(tcg_gen_atomic_xchg_i64, __VA_ARGS__)
#define tcg_gen_atomic_cmpxchg_i64(ret, addr, cmp, val, idx, op) \
    (gen_vcore_atomic(s, addr, op), (tcg_gen_atomic_cmpxchg_i64)(ret, addr, cmp, val, idx, op))
