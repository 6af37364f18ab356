/* SPDX-License-Identifier: GPL-2.0-only */
/* The size of charts that stand side by side. */
#ifndef CCSAMPLE_PAGE_CHART_H
#define CCSAMPLE_PAGE_CHART_H

#define WIDTH	560
#define HEIGHT	230
#define LEFT	52.0
#define RIGHT	12.0
#define TOP	14.0
#define BOTTOM	40.0
#define AREA	(WIDTH - LEFT - RIGHT)
#define DEPTH	(HEIGHT - TOP - BOTTOM)

#endif /* CCSAMPLE_PAGE_CHART_H */
