// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "burst-source/burst-queue.h"

#define PIECE_MAX	(56u << 10)
#define RECORD_ROOM	(sizeof(struct ccs_burst_piece) + PIECE_MAX + 8)

void burst_queue_free(struct burst_queue *queue)
{
	while (queue->count)
		free(queue->waiting[--queue->count].bytes);
	free(queue->waiting);
	free(queue->record);
}

void queued_met(struct queued_burst *to, const struct burst *from)
{
	to->met = from->met < BURST_MET ? from->met : BURST_MET;
	memcpy(to->met_ip, from->met_rip, to->met * sizeof(*to->met_ip));
	if (from->number)
		to->met_ip[to->met++] = from->met_first;
}

struct queued_burst queued_last(const struct burst *last, uint64_t interval_ns)
{
	struct queued_burst queued = {
		.whole.burst = {
			.record = {
				.size = sizeof(queued.whole.burst), .type = CCS_BURST,
				.tid = last->tid,
			},
			.time = last->start, .end = last->start, .cpu_ns = last->cpu_time,
			.interval_ns = interval_ns,
		},
		.pid = last->pid,
	};

	queued_met(&queued, last);
	return queued;
}

/* Bursts come nearly in order; this keeps them so. */
void burst_queue_add(struct burst_queue *queue, struct queued_burst *burst, const uint8_t *bytes,
		     size_t size)
{
	struct queued_burst *waiting;
	size_t at;

	burst->whole.burst.bytes = size;
	burst->bytes = xmalloc(size + 1);
	if (size)
		memcpy(burst->bytes, bytes, size);
	queue->bytes += size;
	queue->waiting = grow(queue->waiting, queue->count, &queue->room, sizeof(*burst));
	waiting = queue->waiting;
	for (at = queue->count++;
	     at && waiting[at - 1].whole.burst.time > burst->whole.burst.time; at--)
		waiting[at] = waiting[at - 1];
	waiting[at] = *burst;
}

uint64_t burst_queue_time(const struct burst_queue *queue)
{
	return queue->count ? queue->waiting[0].whole.burst.time : UINT64_MAX;
}

const struct queued_burst *burst_queue_ended(const struct burst_queue *queue, uint64_t until)
{
	return queue->count && queue->waiting[0].whole.burst.end <= until ? queue->waiting : NULL;
}

static void write_pieces(struct burst_queue *queue, struct images *images, uint32_t image,
			 const struct queued_burst *burst)
{
	struct ccs_burst_piece *piece = (void *)queue->record;
	uint32_t at, size, bytes = burst->whole.burst.bytes;

	for (at = 0; at < bytes; at += size) {
		size = bytes - at < PIECE_MAX ? bytes - at : PIECE_MAX;
		memset(piece, 0, sizeof(*piece) + size + 8);
		piece->record.size = (sizeof(*piece) + size + 7) & ~7u;
		piece->record.type = CCS_BURST_PIECE;
		piece->record.tid = burst->whole.burst.record.tid;
		piece->bytes = size;
		piece->packing = queue->packing;
		memcpy(piece + 1, burst->bytes + at, size);
		images_record(images, image, &piece->record);
	}
}

/* With the addresses at which the timer met the thread. */
static void write_burst(struct burst_queue *queue, struct images *images, uint32_t image,
			const struct queued_burst *burst)
{
	struct ccs_record *record = (void *)queue->record;
	uint32_t size = burst->whole.burst.record.size, met = burst->met * sizeof(*burst->met_ip);

	memcpy(record, &burst->whole, size);
	memcpy(queue->record + size, burst->met_ip, met);
	record->size += met;
	images_record(images, image, record);
}

void burst_queue_write(struct burst_queue *queue, struct images *images)
{
	struct queued_burst *first = &queue->waiting[0];
	uint32_t image = images_at(images, first->pid, first->whole.burst.time);

	if (!queue->record)
		queue->record = xmalloc(RECORD_ROOM);
	if (image) {
		write_burst(queue, images, image, first);
		write_pieces(queue, images, image, first);
	} else {
		queue->unattributed += !ccs_burst_is_none(&first->whole.burst);
	}
	queue->bytes -= first->whole.burst.bytes;
	free(first->bytes);
	memmove(first, first + 1, --queue->count * sizeof(*first));
}
