// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_mallocfree.h"

#include "tracee/valgrind-lib/counting.h"
#include "tracee/valgrind-lib/tallies.h"

/* Misses that are counted at once, and after how many no more are: it takes tens of ns a miss. */
#define STRETCH		(1u << 20)
#define MOST		(1u << 24)	/* at first, and as many more of late loops */
#define TRY		(1u << 14)	/* to see whether a late loop is one that misses */
#define ENOUGH		(1u << 22)	/* of a late loop */

/*
 * While misses are classified each hit on a line that is not the newest of its set takes longer,
 * too. A stretch of late loops has as much time: who misses less often loses little by that.
 */
#define SPARSE		128u	/* instructions a miss */

/* Misses a conflict: half of a verdict's limit, which is a tenth, and twice as much. */
#define HALF_LIMIT	20u
#define TWICE_LIMIT	5u
#define GOOD_PART	16u	/* one miss in so many */

/* Loops are found by pages of code. Larger ones do not count as loops. */
#define PAGE_BITS	12u
#define PLACES		4096u
#define LOOP_MOST	((Addr)64 << PAGE_BITS)
#define FOUND_MOST	65536u	/* code made at run time has ever new ones */

/* What lies between a branch back and its target. */
struct counted_loop {
	struct counted_loop *into;	/* the same loop, which has its counts; NULL = this one */
	Addr first, last;	/* instructions */
	Bool late;		/* new when counting had ended, or was about to */
	ULong misses;
	ULong before;		/* of them before the current stretch */
	Long net;		/* of them conflicts, less hits saved */
};

/* That a loop is on a page. */
struct on_page {
	struct on_page *next;
	struct counted_loop *loop;
};

static struct on_page *pages[PLACES];
static struct counted_loop rest;	/* what is in no loop */
static UInt found;			/* loops so far: what a tally knows is of the last one */
static UInt counted;			/* misses, or to be, or what time ran out for; 0 = none */
static UInt most;			/* of them */
static UInt stretch;			/* of them the latest */
static ULong time_left;			/* for that, if it is one of late loops: instructions */
static Bool ended;			/* counting did, once or more often */
static Bool due;			/* there is a late loop of which nothing is known */

UInt counting_left;

static struct on_page **page_of(Addr ip)
{
	return &pages[(ip >> PAGE_BITS) % PLACES];
}

static void begin_stretch(UInt misses, void (*each)(struct counted_loop *loop))
{
	struct on_page *on;
	UInt i;

	for (i = 0; i < PLACES; i++)
		for (on = pages[i]; on; on = on->next)
			each(on->loop);
	each(&rest);
	due = False;
	stretch = misses;
	time_left = (ULong)misses * SPARSE;
	counted += misses;
	counting_left += misses;
}

static void forget(struct counted_loop *loop)
{
	loop->misses = loop->before = loop->net = 0;
	loop->late = False;
}

static void go_on(struct counted_loop *loop)
{
	loop->before = loop->misses;
}

void counting_begin(void)
{
	counted = counting_left = 0;
	most = MOST;
	ended = False;
	begin_stretch(STRETCH, forget);
}

Bool counting_due(void)
{
	return due && !counting_left && counted < most;
}

void counting_again(void)
{
	begin_stretch(TRY, go_on);
}

Bool counting_ran(ULong instructions)
{
	if (!counting_left || !ended)
		return False;
	time_left -= instructions < time_left ? instructions : time_left;
	return !time_left;
}

static struct counted_loop *root(struct counted_loop *loop)
{
	while (loop->into)
		loop = loop->into;
	return loop;
}

/* Two branches back of one loop: to the same target, or each into what the other goes around. */
static void join(struct counted_loop *loop, struct counted_loop *other)
{
	struct counted_loop *a = root(loop), *b = root(other);

	if (a == b || (loop->first != other->first &&
		       (loop->first < other->first) != (loop->last < other->last)))
		return;
	if (loop->first > other->last || other->first > loop->last)
		return;
	a->misses += b->misses;
	a->before += b->before;
	a->net += b->net;
	a->late &= b->late;
	b->misses = b->before = b->net = 0;
	b->into = a;
}

static Bool known(Addr first, Addr last)
{
	const struct on_page *on;

	for (on = *page_of(last); on; on = on->next)
		if (on->loop->first == first && on->loop->last == last)
			return True;
	return False;
}

void counting_branch(Addr from, Addr to)
{
	struct counted_loop *loop;
	Addr page;

	if (!counted || found >= FOUND_MOST || to >= from || from - to > LOOP_MOST ||
	    known(to, from))
		return;
	loop = VG_(calloc)("ccsample.loop", 1, sizeof(*loop));
	loop->first = to;
	loop->last = from;
	loop->late = ended || counting_left < TRY;
	for (page = to >> PAGE_BITS; page <= from >> PAGE_BITS; page++) {
		struct on_page **place = page_of(page << PAGE_BITS);
		struct on_page *on = VG_(malloc)("ccsample.loop", sizeof(*on));

		*on = (struct on_page){ *place, loop };
		*place = on;
		while ((on = on->next))
			join(loop, on->loop);
	}
	found++;
	due |= loop->late;
}

static struct counted_loop *innermost(Addr ip)
{
	struct counted_loop *best = &rest;
	Addr least = LOOP_MOST + 1;
	const struct on_page *on;

	for (on = *page_of(ip); on; on = on->next) {
		struct counted_loop *loop = on->loop;

		if (ip < loop->first || ip > loop->last || loop->last - loop->first >= least)
			continue;
		least = loop->last - loop->first;
		best = loop;
	}
	return root(best);
}

static struct counted_loop *loop_of(struct tally *tally)
{
	if (!tally->loop || tally->found != found) {
		tally->loop = innermost(tally->ip);
		tally->found = found;
	}
	return tally->loop;
}

static Bool near_limit(const struct counted_loop *loop)
{
	return loop->net > 0 && (ULong)loop->net * HALF_LIMIT >= loop->misses &&
	       (ULong)loop->net * TWICE_LIMIT <= loop->misses;
}

/* At first those that are near the limit, then late ones, too, that nobody knows well. */
static Bool worth(const struct counted_loop *loop)
{
	if (!ended)
		return loop->misses * GOOD_PART >= counted && near_limit(loop);
	return loop->late && (loop->misses - loop->before) * GOOD_PART >= stretch &&
	       (loop->misses < ENOUGH || near_limit(loop));
}

static Bool any_worth(void)
{
	const struct on_page *on;
	UInt i;

	for (i = 0; i < PLACES; i++)
		for (on = pages[i]; on; on = on->next)
			if (worth(on->loop))
				return True;
	return worth(&rest);
}

/* From now on late loops alone are worth it. */
static void end(void)
{
	if (!ended)
		most = counted + MOST;
	ended = True;
}

Bool counting_more(void)
{
	Bool more = counted < most && any_worth();

	if (!more)
		end();
	if (counted >= most || !(more || due))
		return False;
	begin_stretch(!more ? TRY : stretch < STRETCH ? 2 * stretch : STRETCH, go_on);
	return True;
}

void counting_miss(Addr ip, Bool conflict)
{
	struct counted_loop *loop = loop_of(tallies_miss(0, ip, conflict));

	loop->misses++;
	loop->net += conflict;
}

void counting_saved(Addr ip)
{
	struct tally *tally = tallies_of(ip);

	tally->levels[0].saved++;
	loop_of(tally)->net--;
}
