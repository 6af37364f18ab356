// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parts. Counters and capabilities: SDM volume 3, "Performance Monitoring".
 * Slice hashes: Maurice et al., "Reverse Engineering Intel Last-Level Cache
 * Complex Addressing" (2015), and McCalpin, TR-2021-03, for the fourth bit of
 * 16-slice Skylake-SP. None is published for a power of two of Ice Lake-SP
 * slices: the model borrows Skylake-SP's, which docs/vcore.md says.
 * Alder Lake: CPUID.0AH has what both kinds of cores have, and Linux adds two
 * counters and a fixed one on P-cores, and bit 48 of GLOBAL_CTRL (performance
 * metrics: intel_pmu_init(), intel_pmu_check_hybrid_pmus()).
 */
#include "vcore-internal.h"

#define MAURICE     0x1b5f575440, 0x2eb5faa880, 0x3cccc93100
#define EVTSEL      0xffffffffull
#define RDCL_NO     (1 << 0)
#define ADL_L3      .l3 = { 4096, 12 }, .slice_bits = 3, .slice_mask = { MAURICE }

static const struct VCoreModel models[] = {
    {
        .name = "snb", .version = 3, .gp = 4, .fixed = 3, .pebs_format = 1,
        .capabilities = 0x11c3, .pebs_enable = 1ull << 63 | 0xf0000000full, .evtsel = EVTSEL,
        .l1 = { 64, 8 }, .l2 = { 512, 8 }, .l3 = { 2048, 20 },
        .slice_bits = 3, .slice_mask = { MAURICE }, .inclusive = true,
        .latency = { 4, 12, 45, 190 },
    }, {
        .name = "ivb", .version = 3, .gp = 4, .fixed = 3, .pebs_format = 1,
        .capabilities = 0x31c3, .pebs_enable = 1ull << 63 | 0xf0000000full, .evtsel = EVTSEL,
        .l1 = { 64, 8 }, .l2 = { 512, 8 }, .l3 = { 2048, 20 },
        .slice_bits = 3, .slice_mask = { MAURICE }, .inclusive = true,
        .latency = { 4, 12, 45, 190 },
    }, {
        .name = "bdw", .version = 3, .gp = 4, .fixed = 3, .pebs_format = 2,
        .capabilities = 0x32c4, .pebs_enable = 0xf0000000full, .evtsel = EVTSEL,
        .l1 = { 64, 8 }, .l2 = { 512, 8 }, .l3 = { 2048, 20 },
        .slice_bits = 3, .slice_mask = { MAURICE }, .inclusive = true,
        .latency = { 4, 12, 50, 200 },
    }, {
        .name = "skl", .version = 4, .gp = 4, .fixed = 3, .pebs_format = 3,
        .capabilities = 0x33c5, .pebs_enable = 0xf0000000full, .evtsel = EVTSEL,
        .l1 = { 64, 8 }, .l2 = { 1024, 16 }, .l3 = { 2048, 11 },
        .slice_bits = 4, .slice_mask = { MAURICE, 0x31aeeb1200 },
        .latency = { 4, 14, 68, 220 },
    }, {
        .name = "icx", .version = 5, .gp = 8, .fixed = 4, .pebs_format = 4,
        .capabilities = 0x74c5, .pebs_enable = 0xf000000ffull,
        .evtsel = EVTSEL | 1ull << 34, .arch_capabilities = RDCL_NO,
        .l1 = { 64, 12 }, .l2 = { 1024, 20 }, .l3 = { 2048, 12 },
        .slice_bits = 4, .slice_mask = { MAURICE, 0x31aeeb1200 },
        .latency = { 5, 14, 70, 230 },
    }, {
        /* Lion Cove's PEBS in a server: Linux takes Lion Cove's own model numbers for hybrids. */
        .name = "lnc", .version = 5, .gp = 8, .fixed = 4, .pebs_format = 6,
        .capabilities = 0x76c5, .pebs_enable = 0xf000000ffull,
        .evtsel = EVTSEL | 1ull << 34, .arch_capabilities = RDCL_NO,
        .l1 = { 64, 12 }, .l2 = { 2048, 16 }, .l3 = { 2048, 15 },
        .slice_bits = 4, .slice_mask = { MAURICE, 0x31aeeb1200 },
        .latency = { 5, 16, 75, 240 },
    }, {
        .name = "dmr", .version = 6, .gp = 8, .fixed = 4, .pebs_format = 15,
        .architectural = true, .capabilities = 0x3fc5,
        .evtsel = EVTSEL, .arch_capabilities = RDCL_NO,
        .l1 = { 64, 12 }, .l2 = { 2048, 16 }, .l3 = { 2048, 15 },
        .slice_bits = 4, .slice_mask = { MAURICE, 0x31aeeb1200 },
        .latency = { 5, 16, 75, 240 },
    }, {
        .name = "adl-p", .version = 5, .gp = 8, .fixed = 4, .pebs_format = 4,
        .capabilities = 0x74c5, .pebs_enable = 0xf000000ffull,
        .evtsel = EVTSEL | 1ull << 34, .arch_capabilities = RDCL_NO,
        .core_type = 0x40, .common_gp = 6, .common_fixed = 3,
        .global_ctrl = 1ull << 48,
        .l1 = { 64, 12 }, .l2 = { 2048, 10 }, ADL_L3,
        .latency = { 5, 15, 70, 230 },
    }, {
        .name = "adl-e", .version = 5, .gp = 6, .fixed = 3, .pebs_format = 4,
        .capabilities = 0x74c5, .pebs_enable = 0x70000003full,
        .evtsel = EVTSEL | 1ull << 34, .arch_capabilities = RDCL_NO,
        .core_type = 0x20, .common_gp = 6, .common_fixed = 3,
        .l1 = { 64, 8 }, .l2 = { 2048, 16 }, ADL_L3,
        .latency = { 3, 17, 75, 240 },
    },
};

const struct VCoreModel *vcore_model(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
        if (!strcmp(models[i].name, name)) {
            return &models[i];
        }
    }
    return NULL;
}
