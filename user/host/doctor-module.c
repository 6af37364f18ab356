// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ccsample.h"
#include "host/doctor.h"

#define EFI_SECURE_BOOT	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define WHOLE		"0          0 4294967295"	/* uid_map of the first user namespace */

static const char sign[] =
	"sign ccsample.ko with a key that the machine trusts: DKMS does (make dkms-install, then "
	"mokutil --import /var/lib/dkms/mok.pub and boot)";

static bool is_loaded(const struct doctor *doctor)
{
	return system_has(&doctor->system, "/sys/module/ccsample");
}

/* Return: whether the kernel's list of modules has ours. */
static bool is_installed(const struct doctor *doctor, const char *release)
{
	char *path = xasprintf("/lib/modules/%s/modules.dep", release);
	char *list = system_text(&doctor->system, path);
	bool installed = list && strstr(list, "/ccsample.ko");

	free(list);
	free(path);
	return installed;
}

static void find_unloaded(struct doctor *doctor, const char *release)
{
	char *headers = xasprintf("/lib/modules/%s/build", release);

	if (doctor->refused)
		doctor_find(doctor, "module", DOCTOR_NO, NULL,
			    "not loaded; it would refuse this processor");
	else if (is_installed(doctor, release))
		doctor_find(doctor, "module", DOCTOR_NO, "modprobe ccsample",
			    "installed for Linux %s, not loaded", release);
	else if (system_has(&doctor->system, headers))
		doctor_find(doctor, "module", DOCTOR_NO,
			    "make kmod kmod-install && modprobe ccsample, in ccsample's sources",
			    "not installed for Linux %s, whose headers are here", release);
	else
		doctor_find(doctor, "module", DOCTOR_NO,
			    "install the package linux-headers-$(uname -r), then make kmod "
			    "kmod-install && modprobe ccsample, in ccsample's sources",
			    "not installed for Linux %s, nor are the headers to build it", release);
	free(headers);
}

static void find_module(struct doctor *doctor)
{
	char *release = system_text(&doctor->system, "/proc/sys/kernel/osrelease");
	char *version = system_text(&doctor->system, "/sys/module/ccsample/version");

	if (!is_loaded(doctor))
		find_unloaded(doctor, release ? release : "unknown");
	else if (version && strcmp(version, CCSAMPLE_VERSION))
		doctor_find(doctor, "module", DOCTOR_LIMITED,
			    "install both from the same sources",
			    "loaded, of version %s; this is %s",
			    version, CCSAMPLE_VERSION);
	else
		doctor_find(doctor, "module", DOCTOR_OK, NULL, "loaded");
	free(release);
	free(version);
}

/* The mode in brackets: "none [integrity] confidentiality". */
static void find_lockdown(struct doctor *doctor)
{
	char *text = system_text(&doctor->system, "/sys/kernel/security/lockdown");
	bool loaded = is_loaded(doctor);

	if (!text)
		doctor_find(doctor, "lockdown", DOCTOR_OK, NULL, "this kernel has none");
	else if (strstr(text, "[none]"))
		doctor_find(doctor, "lockdown", DOCTOR_OK, NULL, "off");
	else if (strstr(text, "[confidentiality]") && loaded)
		doctor_find(doctor, "lockdown", DOCTOR_NO,
			    "record without the module: --source bursts",
			    "confidentiality: the module opens no session");
	else if (strstr(text, "[integrity]") || strstr(text, "[confidentiality]"))
		doctor_find(doctor, "lockdown", loaded ? DOCTOR_OK : DOCTOR_LIMITED,
			    loaded ? NULL : sign, "%s: %s", strstr(text, "[integrity]") ?
			    "integrity" : "confidentiality",
			    loaded ? "the module is loaded all the same" :
			    "modules without a trusted signature are not loaded");
	else
		doctor_find(doctor, "lockdown", DOCTOR_UNKNOWN, NULL, "the kernel says: %s", text);
	free(text);
}

/* An EFI variable's file: 4 bytes of attributes, then the value. */
static bool boots_securely(const struct doctor *doctor)
{
	char value;

	return system_bytes(&doctor->system, EFI_SECURE_BOOT, 4, &value, 1) && value == 1;
}

/* @on: NULL = it is off */
static void find_check(struct doctor *doctor, const char *topic, const char *on, const char *off)
{
	bool hinders = on && !is_loaded(doctor);

	doctor_find(doctor, topic, hinders ? DOCTOR_LIMITED : DOCTOR_OK, hinders ? sign : NULL,
		    "%s", on ? on : off);
}

static void find_signing(struct doctor *doctor)
{
	find_check(doctor, "secure boot", boots_securely(doctor) ?
		   "on: most kernels ask modules for signatures then" : NULL, "off");
	find_check(doctor, "signatures",
		   system_says(&doctor->system, "/sys/module/module/parameters/sig_enforce", "Y") ?
		   "the kernel asks modules for them" : NULL, "not asked for of modules");
}

static void find_device(struct doctor *doctor)
{
	const struct system *system = &doctor->system;

	if (!system_has(system, CCSAMPLE_DEVICE))
		doctor_find(doctor, "device", DOCTOR_NO, is_loaded(doctor) ?
			    "mount devtmpfs on /dev, or pass " CCSAMPLE_DEVICE
			    " into the container" : NULL, "there is no " CCSAMPLE_DEVICE);
	else if (!system_may_use(system, CCSAMPLE_DEVICE))
		doctor_find(doctor, "device", DOCTOR_NO,
			    "adduser $USER ccsample and log in again, or use sudo",
			    CCSAMPLE_DEVICE " may not be opened by this user");
	else
		doctor_find(doctor, "device", DOCTOR_OK, NULL, CCSAMPLE_DEVICE " opens");
}

static bool in_first_namespace(const struct doctor *doctor)
{
	char *map = system_text(&doctor->system, "/proc/self/uid_map");
	bool first = !map || strstr(map, WHOLE);

	free(map);
	return first;
}

static void find_rights(struct doctor *doctor)
{
	bool first = in_first_namespace(doctor), all = doctor_may(doctor, CAP_SYS_ADMIN);

	if (!first)
		doctor_find(doctor, "rights", DOCTOR_NO, "record outside of the container, with -p",
			    "capabilities of a user namespace (a container) do not count");
	else if (all || doctor_may(doctor, CAP_PERFMON))
		doctor_find(doctor, "rights", DOCTOR_OK, NULL, "%s: sessions may be opened",
			    all ? "CAP_SYS_ADMIN" : "CAP_PERFMON");
	else
		doctor_find(doctor, "rights", DOCTOR_NO,
			    "sudo ccsample ..., or setcap cap_perfmon,cap_sys_admin+ep on the "
			    "program",
			    "no CAP_PERFMON, which the module asks for");
	if (first && all)
		doctor_find(doctor, "pagemap", DOCTOR_OK, NULL,
			    "physical addresses are shown: L2 and L3 have sets");
	else
		doctor_find(doctor, "pagemap", DOCTOR_LIMITED,
			    "give CAP_SYS_ADMIN (sudo), or a page model: record --pages",
			    "physical addresses are hidden: the sets of L2 and L3 samples are "
			    "unknown");
}

void doctor_module(struct doctor *doctor)
{
	size_t from = doctor->count, i;

	find_module(doctor);
	find_device(doctor);
	find_rights(doctor);
	find_lockdown(doctor);
	find_signing(doctor);
	doctor->pebs = !doctor->refused;
	for (i = from; i < doctor->count; i++)
		doctor->pebs &= doctor->findings[i].state != DOCTOR_NO;
}
