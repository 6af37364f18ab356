// SPDX-License-Identifier: GPL-2.0-only
/* Names of C++ and Rust: as c++filt has them, without hashes, types of constants, usual arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "program/demangle.h"
#include "tap.h"

static const struct {
	const char *linker, *name;
} names[] = {
	{ "main", NULL },
	{ "_start", NULL },
	{ "_Z3addRKSt6vectorIdSaIdEE",
	  "add(std::vector<double> const&)" },
	{ "_Z6colsumRSt6vectorIS_IdSaIdEESaIS1_EE", "colsum(std::vector<std::vector<double>>&)" },
	{ "_Z1fRSt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiSt4lessIS5_ESaISt4pairIKS5_iEEE",
	  "f(std::map<std::string, int>&)" },
	{ "_Z1gRSt3mapIiiSt7greaterIiESaISt4pairIKiiEEE", "g(std::map<int, int, std::greater<int>>&)" },
	{ "_Z1hISaIiEEvT_", "void h<std::allocator<int>>(std::allocator<int>)" },
	{ "_Z3putIP1SEvRSt6vectorIDtptcvT__E1dESaIS4_EES3_i",
	  "void put<S*>(std::vector<decltype (((S*)())->d)>&, S*, int)" },
	{ "_ZN3foo3barEv", "foo::bar()" },
	/* Rust, legacy */
	{ "_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE",
	  "core::ptr::drop_in_place<alloc::string::String>" },
	{ "_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h0a1b2c3d4e5f6789E",
	  "<&T as core::fmt::Debug>::fmt" },
	{ "_ZN4heat4grid4step28_$u7b$$u7b$closure$u7d$$u7d$17h0a1b2c3d4e5f6789E",
	  "heat::grid::step::{{closure}}" },
	/* Rust, v0 */
	{ "_RNvCs1_5crate4main", "crate::main" },
	{ "_RNvMsa_NtCslNYArtu3iFV_5alloc3vecINtB5_3VecThcEE4push",
	  "<alloc::vec::Vec<(u8, char)>>::push" },
	{ "_RNvXsq_NtCslNYArtu3iFV_5alloc3vecINtB5_3VecThcEENtNtCsgEmfK2I1SDS_4core3fmt5Debug3"
	  "fmtCs6GmmlP4bgsG_1r", "<alloc::vec::Vec<(u8, char)> as core::fmt::Debug>::fmt" },
	{ "_RNvYINtNtCslNYArtu3iFV_5alloc5boxed3BoxDNtNtNtNtCsgEmfK2I1SDS_4core4iter6traits8"
	  "iterator8Iteratorp4ItemhNtNtBK_6marker4SendEL_EBC_5countCs6GmmlP4bgsG_1r",
	  "<alloc::boxed::Box<dyn core::iter::traits::iterator::Iterator<Item = u8> + "
	  "core::marker::Send> as core::iter::traits::iterator::Iterator>::count" },
	{ "_RNCNvC1a4mains_0", "a::main::{closure#1}" },
	{ "_RINvC1a3addKj3_Kb1_Kca_Kan2_E", "a::add::<3, true, '\\n', -2>" },
	{ "_RINvC1a3addKj3_Kb1_Kc41_Kan2_E", "a::add::<3, true, 'A', -2>" },
	{ "_RINvC1a3addFUKCRShOhEuE", "a::add::<unsafe extern \"C\" fn(&[u8], *mut u8)>" },
	{ "_RINvC1a3addFG_RL0_eQAdj3_EbE", "a::add::<for<'a> fn(&'a str, &mut [f64; 3]) -> bool>" },
	{ "_RINvC1a3addTlEDNtC1a1TEL_zE", "a::add::<(i32,), dyn a::T, !>" },
};

/* Neither crashes nor hangs: what is no name is none. */
static void mutations(void)
{
	static const char letters[] = "_0123456789BCEIKLMNRSTXYDFAGsnphu";
	uint64_t state = 7;
	size_t read = 0;

	for (int turn = 0; turn < 20000; turn++) {
		const char *of = names[random_next(&state) % (sizeof(names) / sizeof(*names))].linker;
		char *copy = strdup(of), *name;

		for (int i = 0; i < 3; i++)
			copy[random_next(&state) % strlen(of)] =
				letters[random_next(&state) % (sizeof(letters) - 1)];
		name = demangle(copy);
		read += name != NULL;
		free(name);
		free(copy);
	}
	ok(read > 100, "%zu of 20,000 damaged names were read", read);
}

/* Both arguments are what was read last: 2^@levels letters and more. */
static void doubled(int levels, bool read)
{
	char linker[256] = "_Z1f1b", *end = linker + strlen(linker), *name;

	for (int i = 1; i < levels; i++)
		end = stpcpy(end, "IS_");
	end = stpcpy(end, "I1aS0_E");
	for (int i = 1; i < levels; i++)
		end += sprintf(end, "S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
	name = demangle(linker);
	ok(read == (name != NULL), "%s: %zu bytes", linker, name ? strlen(name) : 0);
	free(name);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *name = demangle(names[i].linker);

		ok(names[i].name ? name && !strcmp(name, names[i].name) : !name, "%.60s: %s",
		   names[i].linker, name ? name : "none");
		free(name);
	}
	doubled(5, true);
	doubled(16, false);
	mutations();
	return done();
}
