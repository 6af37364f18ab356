// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tags of L1D, L2 and a sliced, shared L3: true LRU, physically indexed, write
 * allocate, with invalidation between cores. No prefetcher, no fill buffers.
 *
 * An inclusive L3 (Broadwell) is filled by every miss and takes what it evicts
 * away from all cores. Otherwise (Skylake-SP on) the L3 holds the L2s' victims
 * and gives a line up when a core reads it.
 */
#include "vcore-internal.h"
#include "qemu/thread.h"

#define LINE_SHIFT  6
#define VALID       2ull
#define MODIFIED    1ull
#define CORES_MAX   64

/* A row of tags is one set, the most recently used first; 0 is an empty way. */
struct tags {
    unsigned sets, ways;
    uint64_t *tag;
};

struct VCoreCache {
    const struct VCoreModel *model;
    struct tags l1, l2;
};

static QemuSpin lock;
static struct tags l3;
static struct VCoreCache *cores[CORES_MAX];
static unsigned cores_nr;

static void tags_init(struct tags *t, struct VCoreGeometry geometry, unsigned slices)
{
    t->sets = geometry.sets;
    t->ways = geometry.ways;
    t->tag = g_new0(uint64_t, (size_t)geometry.sets * geometry.ways * slices);
}

struct VCoreCache *vcore_cache_new(const struct VCoreModel *model)
{
    struct VCoreCache *cache = g_new0(struct VCoreCache, 1);

    cache->model = model;
    tags_init(&cache->l1, model->l1, 1);
    tags_init(&cache->l2, model->l2, 1);
    if (!l3.tag) {
        qemu_spin_init(&lock);
        tags_init(&l3, model->l3, 1u << model->slice_bits);
    }
    assert(cores_nr < CORES_MAX);
    cores[cores_nr++] = cache;
    return cache;
}

static unsigned slice_of(const struct VCoreModel *model, uint64_t line)
{
    unsigned slice = 0;

    for (unsigned i = 0; i < model->slice_bits; i++) {
        slice |= (ctpop64((line << LINE_SHIFT) & model->slice_mask[i]) & 1) << i;
    }
    return slice;
}

static uint64_t *row(struct tags *t, uint64_t line, unsigned slice)
{
    return t->tag + ((size_t)slice * t->sets + line % t->sets) * t->ways;
}

static uint64_t *find(struct tags *t, uint64_t *set, uint64_t line)
{
    for (unsigned way = 0; way < t->ways; way++) {
        if ((set[way] & ~MODIFIED) == (line << 2 | VALID)) {
            return &set[way];
        }
    }
    return NULL;
}

static void to_front(uint64_t *set, uint64_t *at, uint64_t tag)
{
    memmove(set + 1, set, (at - set) * sizeof(*set));
    set[0] = tag;
}

/* The tag that falls out, or 0. */
static uint64_t fill(struct tags *t, uint64_t *set, uint64_t tag)
{
    uint64_t victim = set[t->ways - 1];

    to_front(set, set + t->ways - 1, tag);
    return victim;
}

static void drop(struct tags *t, uint64_t *set, uint64_t line)
{
    uint64_t *at = find(t, set, line);

    if (at) {
        memmove(at, at + 1, (set + t->ways - 1 - at) * sizeof(*set));
        set[t->ways - 1] = 0;
    }
}

static void drop_private(struct VCoreCache *cache, uint64_t line)
{
    drop(&cache->l1, row(&cache->l1, line, 0), line);
    drop(&cache->l2, row(&cache->l2, line, 0), line);
}

/* Asks the other cores; a store takes the line away from them. */
static bool snoop(struct VCoreCache *self, uint64_t line, bool store)
{
    bool modified = false;

    for (unsigned i = 0; i < cores_nr; i++) {
        struct VCoreCache *other = cores[i];
        uint64_t *at;

        if (other == self) {
            continue;
        }
        at = find(&other->l1, row(&other->l1, line, 0), line);
        if (at && *at & MODIFIED) {
            modified = true;
            *at &= ~MODIFIED;
        }
        if (store) {
            drop_private(other, line);
        }
    }
    return modified;
}

static void fill_l3(struct VCoreCache *cache, uint64_t line)
{
    uint64_t *set = row(&l3, line, slice_of(cache->model, line));
    uint64_t victim;

    if (find(&l3, set, line)) {
        return;
    }
    victim = fill(&l3, set, line << 2 | VALID);
    for (unsigned i = 0; victim && cache->model->inclusive && i < cores_nr; i++) {
        drop_private(cores[i], victim >> 2);
    }
}

static bool lookup_l3(struct VCoreCache *cache, uint64_t line)
{
    uint64_t *set = row(&l3, line, slice_of(cache->model, line));
    uint64_t *at = find(&l3, set, line);

    if (!at) {
        return false;
    }
    if (cache->model->inclusive) {
        to_front(set, at, *at);
    } else {
        drop(&l3, set, line);
    }
    return true;
}

static int beyond_l1(struct VCoreCache *cache, uint64_t line)
{
    uint64_t *set = row(&cache->l2, line, 0), *at = find(&cache->l2, set, line);
    uint64_t victim;
    int level;

    if (at) {
        to_front(set, at, *at);
        return 2;
    }
    level = lookup_l3(cache, line) ? 3 : 4;
    if (level == 4 && cache->model->inclusive) {
        fill_l3(cache, line);
    }
    victim = fill(&cache->l2, set, line << 2 | VALID);
    if (victim && !cache->model->inclusive) {
        fill_l3(cache, victim >> 2);
    }
    return level;
}

struct VCoreHit vcore_cache_access(struct VCoreCache *cache, uint64_t pa, bool store)
{
    uint64_t line = pa >> LINE_SHIFT, *set, *at, tag;
    struct VCoreHit hit = { .level = 1 };

    qemu_spin_lock(&lock);
    set = row(&cache->l1, line, 0);
    at = find(&cache->l1, set, line);
    tag = at ? *at : line << 2 | VALID;
    if (cores_nr > 1 && (!at || (store && !(tag & MODIFIED)))) {
        hit.modified = snoop(cache, line, store);
    }
    if (store) {
        tag |= MODIFIED;
    }
    if (at) {
        to_front(set, at, tag);
    } else {
        hit.level = beyond_l1(cache, line);
        fill(&cache->l1, set, tag);
    }
    if (hit.modified && hit.level > 3) {
        hit.level = 3;
    }
    qemu_spin_unlock(&lock);
    return hit;
}
