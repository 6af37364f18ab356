/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_CMD_COMMANDS_H
#define CCSAMPLE_CMD_COMMANDS_H

#include "options/options.h"

extern const struct command command_record;
extern const struct command command_report;
extern const struct command command_advise;
extern const struct command command_view;
extern const struct command command_plot;
extern const struct command command_diff;
extern const struct command command_cure;
extern const struct command command_check;
extern const struct command command_history;
extern const struct command command_import;
extern const struct command command_export;
extern const struct command command_sim;
extern const struct command command_trace;
extern const struct command command_analyze;
extern const struct command command_train;
extern const struct command command_profile;
extern const struct command command_share;
extern const struct command command_emulate;
extern const struct command command_stress;
extern const struct command command_topology;
extern const struct command command_events;
extern const struct command command_status;
extern const struct command command_monitor;
extern const struct command command_lab;
extern const struct command command_doctor;
extern const struct command command_calibrate;

#endif /* CCSAMPLE_CMD_COMMANDS_H */
