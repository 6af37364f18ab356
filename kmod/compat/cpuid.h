/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_KMOD_COMPAT_CPUID_H
#define CCSAMPLE_KMOD_COMPAT_CPUID_H

/* cpuid_count() moved here from <asm/processor.h>. */
#if __has_include(<asm/cpuid/api.h>)
#include <asm/cpuid/api.h>
#endif

#endif /* CCSAMPLE_KMOD_COMPAT_CPUID_H */
