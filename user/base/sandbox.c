// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/sandbox.h"

/* --- Landlock: Documentation/userspace-api/landlock.rst --- */

/* Older headers lack the newer half of linux/landlock.h, and glibc the calls. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { QUERY_VERSION = 1, PATH_BENEATH = 1 };

enum right {
	EXECUTE = 1 << 0, WRITE_FILE = 1 << 1, REMOVE_DIR = 1 << 4, REMOVE_FILE = 1 << 5,
	MAKE_CHAR = 1 << 6, MAKE_DIR = 1 << 7, MAKE_REG = 1 << 8, MAKE_SOCK = 1 << 9,
	MAKE_FIFO = 1 << 10, MAKE_BLOCK = 1 << 11, MAKE_SYM = 1 << 12,
	REFER = 1 << 13,		/* from version 2 on */
	TRUNCATE = 1 << 14,		/* 3 */
	IOCTL_DEV = 1 << 15,		/* 5 */
};

#define WRITES	(WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_CHAR | MAKE_DIR | MAKE_REG |	\
		 MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK | MAKE_SYM)

struct ruleset {
	uint64_t files, net, scoped;
};

#define NET_ALL		3		/* bind and connect of TCP, from version 4 on */
#define SCOPED_ALL	3		/* abstract sockets and signals, from version 6 on */

struct path_rule {
	uint64_t rights;
	int32_t fd;
} __attribute__((packed));

int sandbox_landlock(void)
{
	long version = syscall(CREATE_RULESET, NULL, 0, QUERY_VERSION);

	return version > 0 ? version : 0;
}

static uint64_t known_rights(int version)
{
	uint64_t rights = EXECUTE | WRITES;

	rights |= version >= 2 ? REFER : 0;
	rights |= version >= 3 ? TRUNCATE : 0;
	rights |= version >= 5 ? IOCTL_DEV : 0;
	return rights;
}

/* A path that is not there needs no rights. */
static void allow(int ruleset, const char *path, uint64_t rights)
{
	struct path_rule rule = { .rights = rights };

	rule.fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.fd < 0)
		return;
	syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
	close(rule.fd);
}

/* The loader of a program, which is executed with it. Return: 0, or -1: it is no ELF program. */
static int find_loader(const char *program, char *loader, size_t room)
{
	int fd = open(program, O_RDONLY | O_CLOEXEC), status = -1, i;
	Elf64_Phdr segment;
	Elf64_Ehdr head;

	if (fd < 0)
		return -1;
	*loader = '\0';
	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG))
		goto out;
	status = 0;
	for (i = 0; i < head.e_phnum; i++) {
		if (pread(fd, &segment, sizeof(segment), head.e_phoff + i * sizeof(segment)) !=
		    sizeof(segment))
			break;
		if (segment.p_type != PT_INTERP || segment.p_filesz > room)
			continue;
		if (pread(fd, loader, segment.p_filesz, segment.p_offset) <= 0)
			*loader = '\0';
		loader[room - 1] = '\0';
	}
out:
	close(fd);
	return status;
}

/* What a script runs is unknown: then programs are not restricted. */
static uint64_t rights_without_execution(uint64_t rights, const struct sandbox *sandbox,
					 char *loader, size_t room)
{
	if (!sandbox->program || !find_loader(sandbox->program, loader, room))
		return rights;
	return rights & ~(uint64_t)EXECUTE;
}

static void restrict_files(const struct sandbox *sandbox, int version)
{
	struct ruleset rules = {
		.net = version >= 4 ? NET_ALL : 0,
		.scoped = version >= 6 ? SCOPED_ALL : 0,
	};
	size_t size = version >= 6 ? sizeof(rules) : version >= 4 ? 16 : 8;
	char loader[PATH_MAX] = "";
	int fd;

	rules.files = rights_without_execution(known_rights(version), sandbox, loader,
					       sizeof(loader));
	fd = syscall(CREATE_RULESET, &rules, size, 0);
	if (fd < 0)
		return;
	allow(fd, "/dev/null", rules.files & (WRITE_FILE | TRUNCATE));
	if (sandbox->directory)
		allow(fd, sandbox->directory, rules.files & ~(uint64_t)(EXECUTE | IOCTL_DEV));
	if (sandbox->program && rules.files & EXECUTE) {
		allow(fd, sandbox->program, EXECUTE);
		allow(fd, loader, EXECUTE);
	}
	syscall(RESTRICT_SELF, fd, 0);
	close(fd);
}

/* --- system calls --- */

/*
 * Those that reach beyond the process, or much of the kernel. They fail with EPERM: a library that
 * tries one without need goes on.
 */
static const int refused[] = {
	/* other machines and processes */
	SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept,
	SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_process_vm_readv,
	SYS_process_vm_writev, SYS_msgget, SYS_semget, SYS_shmget, SYS_mq_open,
	/* what belongs to files, and is no writing to Landlock */
	SYS_chmod, SYS_fchmod, SYS_fchmodat, SYS_chown, SYS_fchown, SYS_lchown, SYS_fchownat,
	SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
	SYS_fremovexattr, SYS_utime, SYS_utimes, SYS_futimesat, SYS_utimensat,
	/* the system */
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_swapon,
	SYS_swapoff, SYS_reboot, SYS_sethostname, SYS_setdomainname, SYS_init_module,
	SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load, SYS_acct,
	SYS_quotactl, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex,
	SYS_iopl, SYS_ioperm, SYS_syslog, SYS_add_key, SYS_request_key, SYS_keyctl,
	/* doors into the kernel that a reader never needs */
	SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_setup, SYS_io_submit,
	SYS_modify_ldt, SYS_personality, SYS_open_by_handle_at, SYS_name_to_handle_at,
	SYS_fanotify_init, SYS_lookup_dcookie, SYS_vmsplice, SYS_migrate_pages, SYS_move_pages,
};

#define FIRST_NEW	424		/* pidfd_send_signal and what came since */
#define X32		0x40000000u
#define OPENAT2		437

/* Of those since Linux 5.1 the ones that C libraries use. */
static const int newer[] = {
	435 /* clone3 */, 436 /* close_range */, OPENAT2, 439 /* faccessat2 */,
	449 /* futex_waitv */, CREATE_RULESET, ADD_RULE, RESTRICT_SELF,
};

/* Sanitizers look for leaks by ptrace(). */
extern void __lsan_do_leak_check(void) __attribute__((weak));

#define RULES_MOST	256

struct program {
	struct sock_filter rules[RULES_MOST];
	unsigned short count;
};

static void add(struct program *program, struct sock_filter rule)
{
	if (program->count < RULES_MOST)
		program->rules[program->count++] = rule;
}

static void load(struct program *program, size_t offset)
{
	add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void end(struct program *program, uint32_t action)
{
	add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

#define REFUSE	(SECCOMP_RET_ERRNO | EPERM)

/* @action where the loaded number is this one. */
static void at(struct program *program, uint32_t number, uint32_t action)
{
	add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
	end(program, action);
}

/* Text put into the terminal's input is typed to the user's shell. */
static void refuse_typing(struct program *program)
{
	add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 6));
	load(program, offsetof(struct seccomp_data, args[1]));
	at(program, TIOCSTI, REFUSE);
	at(program, TIOCLINUX, REFUSE);
	end(program, SECCOMP_RET_ALLOW);
}

/* A reader of files takes no connections; a server opens no files. */
static void refuse_other(struct program *program, bool serves)
{
	if (!serves)
		at(program, SYS_accept4, REFUSE);
	/* Sanitizers look at their own process when it ends. */
	if (!serves || __lsan_do_leak_check)
		return;
	at(program, SYS_open, REFUSE);
	at(program, SYS_creat, REFUSE);
	at(program, SYS_truncate, REFUSE);
	at(program, SYS_openat, REFUSE);
	at(program, OPENAT2, REFUSE);
}

static void write_filter(struct program *program, const struct sandbox *sandbox)
{
	size_t i;

	load(program, offsetof(struct seccomp_data, arch));
	add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64,
						  1, 0));
	end(program, REFUSE);
	load(program, offsetof(struct seccomp_data, nr));
	add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1));
	end(program, REFUSE);
	for (i = 0; i < ARRAY_SIZE(refused); i++)
		at(program, refused[i], REFUSE);
	refuse_other(program, sandbox->serves);
	if (!sandbox->program) {
		at(program, SYS_execve, REFUSE);
		at(program, SYS_execveat, REFUSE);
	}
	if (!__lsan_do_leak_check)
		at(program, SYS_ptrace, REFUSE);
	for (i = 0; i < ARRAY_SIZE(newer); i++)
		at(program, newer[i], SECCOMP_RET_ALLOW);
	/* As of a kernel that lacks them: libraries do without. */
	add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_NEW, 0, 1));
	end(program, SECCOMP_RET_ERRNO | ENOSYS);
	refuse_typing(program);
	end(program, SECCOMP_RET_ALLOW);
}

bool sandbox_filters(void)
{
	uint32_t action = SECCOMP_RET_ERRNO;

	return !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

static void restrict_calls(const struct sandbox *sandbox)
{
	struct program program = { .count = 0 };
	struct sock_fprog filter = { .filter = program.rules };

	write_filter(&program, sandbox);
	filter.len = program.count;
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

void sandbox_enter(const struct sandbox *sandbox)
{
	int version = sandbox_landlock();

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return;
	if (version)
		restrict_files(sandbox, version);
	restrict_calls(sandbox);
}
