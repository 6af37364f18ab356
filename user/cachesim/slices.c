// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "base/array.h"
#include "cachesim/slices.h"
#include "cachesim/policy-names.h"

#define MAURICE	"Maurice et al., Reverse Engineering Intel Last-Level Cache Complex Addressing " \
		"Using Performance Counters, RAID 2015"
#define MCCALPIN "McCalpin, Mapping Addresses to L3/CHA Slices in Intel Processors, TR-2021-03"
#define MORGAN	"measured: BMorgan1296/intel-llc-slice-mapping-retrieval-tool"
#define END	((uint64_t)1 << 38)

#define CLIENT_PERMUTATION 7, { 0x21ae7be000, 0x435cf7c000, 0x2717946000, 0x4e2f28c000, \
				0x1c5e518000, 0x38bca30000, 0x50d73de000 }

/* Parts whose base sequence is not published are unknown. */
static const struct slice_hash hashes[] = {
	{ "intel-2", MAURICE, 2, 1, { 0x1b5f575440 }, NULL, END },
	{ "intel-4", MAURICE, 4, 2, { 0x1b5f575440, 0x2eb5faa880 }, NULL, END },
	{ "intel-8", MAURICE, 8, 3, { 0x1b5f575440, 0x2eb5faa880, 0x3cccc93100 }, NULL, END },
	{ "client-6", MORGAN, 6, CLIENT_PERMUTATION,
	  "0123143410320525103205250525143401235052505241431032414341435052"
	  "2301525032104341321043414341525023013414341425053210250525053414", END },
	{ "client-10", MORGAN, 10, CLIENT_PERMUTATION,
	  "0505363614142727141427270589369841417272509863895050636341897298"
	  "4141727250506363505063638941987205053636981489271414272789059836", END },
	{ "rkl-8", MORGAN, 8, 3, { 0x5b5f575440, 0x71aeeb1200, 0x6d87f2c00 }, NULL, END },
	{ "skx-16", MCCALPIN, 16, 4,
	  { 0x1b5f575440, 0x2eb5faa880, 0x3cccc93100, 0x31aeeb1200 }, NULL, END },
};

const struct slice_hash *slice_hash_at(uint32_t place)
{
	return place < ARRAY_SIZE(hashes) ? &hashes[place] : NULL;
}

const struct slice_hash *slice_hash_named(const char *name)
{
	const struct slice_hash *hash;
	uint32_t place;

	for (place = 0; (hash = slice_hash_at(place)); place++)
		if (word_same(hash->name, name))
			return hash;
	return NULL;
}

void slice_shares(const struct slice_hash *hash, double *shares)
{
	uint32_t length = 1u << hash->mask_count, i;

	for (i = 0; i < hash->slices; i++)
		shares[i] = hash->base ? 0 : 1.0 / hash->slices;
	for (i = 0; hash->base && i < length; i++)
		shares[hash->base[i] - '0'] += 1.0 / length;
}

void slice_tables_fill(struct slice_tables *tables, const struct slice_hash *hash)
{
	uint32_t table, bits, i;

	*tables = (struct slice_tables){ .hash = hash };
	for (table = 0; table < SLICE_TABLES; table++)
		for (bits = 0; bits < 1u << SLICE_TABLE_BITS; bits++)
			for (i = 0; i < hash->mask_count; i++) {
				uint64_t part = (uint64_t)bits << (table * SLICE_TABLE_BITS + 6);

				tables->numbers[table][bits] |=
					__builtin_parityll(part & hash->masks[i]) << i;
			}
}
