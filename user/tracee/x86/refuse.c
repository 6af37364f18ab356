// SPDX-License-Identifier: GPL-2.0-only
#include "tracee/x86/refuse.h"

/* Of families that have harmless members too. */
static bool refused_mnemonic(const ZydisDecodedInstruction *zydis)
{
	switch (zydis->mnemonic) {
	case ZYDIS_MNEMONIC_ENTER:
	case ZYDIS_MNEMONIC_POPF:		/* may set the trap flag */
	case ZYDIS_MNEMONIC_POPFQ:
	case ZYDIS_MNEMONIC_XLAT:		/* its address is a sum that lea cannot form */
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_WRFSBASE:		/* thread-local references depend on it */
	case ZYDIS_MNEMONIC_WRGSBASE:
	case ZYDIS_MNEMONIC_CLI:
	case ZYDIS_MNEMONIC_STI:
	case ZYDIS_MNEMONIC_INCSSPD:
	case ZYDIS_MNEMONIC_INCSSPQ:
	case ZYDIS_MNEMONIC_SAVEPREVSSP:
	case ZYDIS_MNEMONIC_RSTORSSP:
	case ZYDIS_MNEMONIC_WRSSD:
	case ZYDIS_MNEMONIC_WRSSQ:
	case ZYDIS_MNEMONIC_WRUSSD:
	case ZYDIS_MNEMONIC_WRUSSQ:
	case ZYDIS_MNEMONIC_SETSSBSY:
	case ZYDIS_MNEMONIC_CLRSSBSY:
		return true;
	default:
		return false;
	}
}

static bool refused_family(const ZydisDecodedInstruction *zydis)
{
	switch (zydis->meta.category) {
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_IO:
	case ZYDIS_CATEGORY_IOSTRINGOP:
	case ZYDIS_CATEGORY_VTX:
	case ZYDIS_CATEGORY_SGX:
	case ZYDIS_CATEGORY_AMX_TILE:
	case ZYDIS_CATEGORY_KEYLOCKER:
	case ZYDIS_CATEGORY_KEYLOCKER_WIDE:
	case ZYDIS_CATEGORY_UINTR:
	case ZYDIS_CATEGORY_ENQCMD:
	case ZYDIS_CATEGORY_MOVDIR:
	case ZYDIS_CATEGORY_CLZERO:
	case ZYDIS_CATEGORY_PADLOCK:
	case ZYDIS_CATEGORY_PCONFIG:
	case ZYDIS_CATEGORY_HRESET:
	case ZYDIS_CATEGORY_PKU:		/* could lock us out of our own memory */
	case ZYDIS_CATEGORY_PT:
	case ZYDIS_CATEGORY_TSX_LDTRK:
	case ZYDIS_CATEGORY_WAITPKG:
	case ZYDIS_CATEGORY_SEGOP:
	case ZYDIS_CATEGORY_MPX:
	case ZYDIS_CATEGORY_KNC:
	case ZYDIS_CATEGORY_KNCMASK:
	case ZYDIS_CATEGORY_KNCSCALAR:
		return true;
	default:
		break;
	}
	switch (zydis->meta.isa_ext) {
	case ZYDIS_ISA_EXT_RTM:
	case ZYDIS_ISA_EXT_MONITOR:
	case ZYDIS_ISA_EXT_MONITORX:
	case ZYDIS_ISA_EXT_SVM:
	case ZYDIS_ISA_EXT_AMX_TILE:
	case ZYDIS_ISA_EXT_AMX_BF16:
	case ZYDIS_ISA_EXT_AMX_INT8:
		return true;
	default:
		return false;
	}
}

bool refuse(const ZydisDecodedInstruction *zydis, const ZydisDecodedOperand *operands)
{
	/* Calls for thread-local data are padded with prefixes, which REX.W overrules. */
	bool wide = zydis->attributes & ZYDIS_ATTRIB_HAS_REX && zydis->raw.rex.W;
	bool sized = zydis->attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE && !wide;
	int i;

	if (zydis->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED || refused_family(zydis) ||
	    refused_mnemonic(zydis))
		return true;
	/* F3 REX.B 90 exchanges registers; Zydis 4.0 takes it for pause. */
	if (zydis->mnemonic == ZYDIS_MNEMONIC_PAUSE && zydis->attributes & ZYDIS_ATTRIB_HAS_REX)
		return true;
	/* Intel and AMD disagree on branches of 16 bits. */
	if (zydis->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE &&
	    (sized || zydis->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR))
		return true;
	for (i = 0; i < zydis->operand_count; i++) {
		const ZydisDecodedOperand *o = &operands[i];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
		    ZydisRegisterGetClass(o->reg.value) == ZYDIS_REGCLASS_SEGMENT)
			return true;
		if (o->type == ZYDIS_OPERAND_TYPE_POINTER)
			return true;
	}
	return false;
}
