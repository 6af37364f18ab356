/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the JSON that `report` and `diff` share, or that stand by themselves. */
#ifndef CCSAMPLE_REPORT_JSON_PARTS_H
#define CCSAMPLE_REPORT_JSON_PARTS_H

#include "advise/sampled.h"
#include "findings/findings.h"
#include "output/json.h"

/* Keys of the open object: "lab", how the machine was set, and "command", a word each. */
void json_put_lab(struct json *json, const struct findings *findings);
void json_put_command(struct json *json, const struct findings *findings);

/* "bursts", of a recording that holds such of references; else nothing. */
void json_put_bursts(struct json *json, const struct findings *findings);

/* "conflict_share" and the bounds of its interval, of bursts alone: else null. */
void json_put_conflicts(struct json *json, const struct rcd_summary *summary);

/* "share", "low", "high": of all misses of a level, of which it is known. */
void json_put_program_conflicts(struct json *json, const struct miss_ratio *share);

/* "sampled": what a change does to sampled misses; null where it was not tried. */
void json_put_sampled(struct json *json, const struct sampled_effect *sampled);

#endif /* CCSAMPLE_REPORT_JSON_PARTS_H */
