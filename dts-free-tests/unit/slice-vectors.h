/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Physical addresses and the slices that were measured for them, from the outputs in
 * BMorgan1296/intel-llc-slice-mapping-retrieval-tool (one processor a table).
 */
#ifndef CCSAMPLE_TEST_SLICE_VECTORS_H
#define CCSAMPLE_TEST_SLICE_VECTORS_H

#include <stdint.h>

struct slice_vector {
	uint64_t address;
	uint32_t slice;
};

static const struct {
	const char *processor, *hash;
	struct slice_vector vectors[32];
} slice_measurements[] = {
	{ "i5-7200U", "intel-2", {
		{ 0x268cb4567, 1 }, { 0x0321b23c6, 0 }, { 0x2575c9869, 1 }, { 0x26e534873, 1 },
		{ 0x11350dc51, 0 }, { 0x03ae95cff, 1 }, { 0x06768944a, 0 }, { 0x2519558ec, 0 },
		{ 0x0082e1f29, 1 }, { 0x144287ccd, 1 }, { 0x1471b58ba, 0 }, { 0x141fed7ab, 0 },
		{ 0x0487141f2, 1 }, { 0x215171efb, 1 }, { 0x221c2a9e3, 1 }, { 0x25465e146, 1 },
		{ 0x2561f007c, 0 }, { 0x23f5062c2, 0 }, { 0x003400854, 0 }, { 0x253f127f8, 0 },
		{ 0x05116231b, 0 }, { 0x049f6e9e8, 1 }, { 0x04c50cde7, 0 }, { 0x2492f438d, 0 },
		{ 0x01a0e0f76, 1 }, { 0x01872255a, 1 }, { 0x00efcf92e, 0 }, { 0x043ad7263, 0 },
		{ 0x213bcc233, 1 }, { 0x0330fd79f, 1 }, { 0x21507c4c9, 0 }, { 0x268e8079a, 1 },
	} },
	{ "i7-6700", "intel-4", {
		{ 0x3394b4567, 3 }, { 0x24e1b23c6, 3 }, { 0x2e39c9869, 2 }, { 0x2fc934873, 2 },
		{ 0x3a2d0dc51, 1 }, { 0x026695cff, 2 }, { 0x1aac8944a, 1 }, { 0x2cc9558ec, 2 },
		{ 0x07eae1f29, 1 }, { 0x440c87ccd, 2 }, { 0x345db58ba, 1 }, { 0x1e77ed7ab, 2 },
		{ 0x1fc1141f2, 1 }, { 0x3bbb71efb, 3 }, { 0x3e202a9e3, 0 }, { 0x3aa05e146, 2 },
		{ 0x1f09f007c, 2 }, { 0x27a7062c2, 1 }, { 0x07b600854, 1 }, { 0x1c1f127f8, 0 },
		{ 0x00556231b, 0 }, { 0x05a16e9e8, 3 }, { 0x07430cde7, 1 }, { 0x3062f438d, 0 },
		{ 0x0928e0f76, 0 }, { 0x25cd2255a, 0 }, { 0x06b3cf92e, 0 }, { 0x04a2d7263, 2 },
		{ 0x42b5cc233, 3 }, { 0x0404fd79f, 2 }, { 0x3bba7c4c9, 0 }, { 0x338e8079a, 0 },
	} },
	{ "i7-11700KF", "rkl-8", {
		{ 0x0454b4567, 3 }, { 0x03a3b23c6, 1 }, { 0x037bc9869, 2 }, { 0x040334873, 2 },
		{ 0x04eb0dc51, 1 }, { 0x136e95cff, 4 }, { 0x02de8944a, 5 }, { 0x0359558ec, 7 },
		{ 0x1384e1f29, 0 }, { 0x021687ccd, 2 }, { 0x002db58ba, 3 }, { 0x007fed7ab, 6 },
		{ 0x019b141f2, 5 }, { 0x02bb71efb, 2 }, { 0x053e2a9e3, 7 }, { 0x04f05e146, 5 },
		{ 0x005df007c, 0 }, { 0x0031062c2, 1 }, { 0x14fc00854, 0 }, { 0x011b127f8, 0 },
		{ 0x163b6231b, 3 }, { 0x13af6e9e8, 4 }, { 0x15110cde7, 6 }, { 0x040ef438d, 6 },
		{ 0x145ee0f76, 1 }, { 0x03dd2255a, 5 }, { 0x1531cf92e, 5 }, { 0x1586d7263, 4 },
		{ 0x0599cc233, 1 }, { 0x1430fd79f, 2 }, { 0x02ba7c4c9, 3 }, { 0x04568079a, 7 },
	} },
	{ "i7-10710U", "client-6", {
		{ 0x1614eb52b, 2 }, { 0x83b7bcb8c, 3 }, { 0x81350d6b6, 3 }, { 0x694a8cf87, 4 },
		{ 0x7710fc41b, 5 }, { 0x6ec21c464, 2 }, { 0x82e323bf5, 0 }, { 0x172169861, 0 },
		{ 0x819f956ab, 4 }, { 0x1bb7be41c, 3 }, { 0x7bf1a15e7, 0 }, { 0x603bd6690, 5 },
		{ 0x183db5c5b, 3 }, { 0x6819e5490, 4 }, { 0x17944be1e, 4 }, { 0x6d7bbb7e5, 5 },
		{ 0x852568302, 3 }, { 0x828c5c7a8, 0 }, { 0x80ad41011, 4 }, { 0x7e403c777, 0 },
		{ 0x7225c6e4d, 5 }, { 0x5ffca56cd, 4 }, { 0x60ef86ee1, 0 }, { 0x137f4e53b, 5 },
		{ 0x1c0600487, 5 }, { 0x18ecb1b60, 5 }, { 0x65cadd574, 2 }, { 0x65a43808a, 1 },
		{ 0x1af557276, 5 }, { 0x81d6681db, 4 }, { 0x15f46c974, 0 }, { 0x121e427a1, 1 },
	} },
	{ "i9-10900K", "client-10", {
		{ 0x4aa2eb52b, 8 }, { 0x62a9bcb8c, 7 }, { 0x29010d6b6, 0 }, { 0x5ddc8cf87, 0 },
		{ 0x76e8fc41b, 1 }, { 0x02181c464, 3 }, { 0x665d23bf5, 0 }, { 0x516f69861, 5 },
		{ 0x4adf956ab, 0 }, { 0x7d0dbe41c, 1 }, { 0x319fa15e7, 7 }, { 0x4159d6690, 7 },
		{ 0x5de7b5c5b, 3 }, { 0x4bf5e5490, 0 }, { 0x3b724be1e, 1 }, { 0x005bbb7e5, 4 },
		{ 0x774b68302, 3 }, { 0x89785c7a8, 8 }, { 0x232f41011, 5 }, { 0x70663c777, 2 },
		{ 0x2f1bc6e4d, 1 }, { 0x3948a56cd, 1 }, { 0x42eb86ee1, 6 }, { 0x6f3f4e53b, 6 },
		{ 0x01a600487, 0 }, { 0x024ab1b60, 7 }, { 0x35f0dd574, 2 }, { 0x4fc83808a, 9 },
		{ 0x019557276, 0 }, { 0x780a681db, 0 }, { 0x32006c974, 2 }, { 0x65a8427a1, 4 },
	} },
};

#endif /* CCSAMPLE_TEST_SLICE_VECTORS_H */
