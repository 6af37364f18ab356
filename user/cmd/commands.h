/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands: argv[0] is the name, the value the exit status: 0 done, 1 failed, 2 wrong usage. */
#ifndef CCSAMPLE_CMD_COMMANDS_H
#define CCSAMPLE_CMD_COMMANDS_H

int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_sim(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_analyze(int argc, char **argv);
int cmd_train(int argc, char **argv);
int cmd_profile(int argc, char **argv);
int cmd_share(int argc, char **argv);
int cmd_emulate(int argc, char **argv);
int cmd_stress(int argc, char **argv);
int cmd_topology(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_monitor(int argc, char **argv);
int cmd_lab(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_events(int argc, char **argv);

#endif /* CCSAMPLE_CMD_COMMANDS_H */
