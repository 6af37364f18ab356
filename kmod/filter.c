// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process is known by its signal_struct: all its threads share it, through
 * execs as well, and it lives until the last of them is gone. Members of all
 * filters are in one hash table: task switches look in without a lock. Sessions on
 * many CPUs that follow one process have one filter, so that a fork makes one member.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "filter.h"

struct member {
	struct hlist_node node;
	const struct signal_struct *process;
	struct ccsample_filter *filter;
	struct rcu_head rcu;
};

struct ccsample_filter {
	struct list_head list;
	struct list_head users;			/* its sessions */
	bool from_exec;
	struct task_struct *task;		/* held, and with it signal_struct: as `root` it */
						/* must not become another process's */
	const struct signal_struct *root;	/* until its exec, with from_exec; then NULL */
	struct member *spare;			/* for the root, whose exec must be seen */
	u64 lost;				/* children without memory; under members_lock */
};

static DEFINE_HASHTABLE(members, 10);
static LIST_HEAD(filters);
static DEFINE_RAW_SPINLOCK(members_lock);	/* of both; taken inside tracepoints */
static atomic_t waiting;			/* filters with a root */
static DEFINE_MUTEX(sharing_lock);	/* a filter is whole, or nobody's, where it is released */

static const struct member *find(const struct ccsample_filter *f,
				 const struct signal_struct *process)
{
	const struct member *m;

	hash_for_each_possible_rcu_notrace(members, m, node, (unsigned long)process) {
		if (m->process == process && m->filter == f)
			return m;
	}
	return NULL;
}

bool ccsample_filter_has(const struct ccsample_filter *f, const struct task_struct *task)
{
	bool has;

	rcu_read_lock_sched_notrace();
	has = find(f, task->signal);
	rcu_read_unlock_sched_notrace();
	return has;
}

/*
 * Members to be, made before members_lock is taken: the allocator's own locks must not be taken
 * inside of a raw one (Documentation/locking/locktypes.rst). As many as there is memory for.
 */
static void make_spares(struct hlist_head *spares, unsigned int wanted)
{
	INIT_HLIST_HEAD(spares);
	while (wanted--) {
		struct member *m = kmalloc(sizeof(*m), GFP_ATOMIC | __GFP_NOWARN);

		if (!m)
			break;
		hlist_add_head(&m->node, spares);
	}
}

static struct member *take_spare(struct hlist_head *spares)
{
	struct member *m = hlist_entry_safe(spares->first, struct member, node);

	if (m)
		hlist_del(&m->node);
	return m;
}

static void free_spares(struct hlist_head *spares)
{
	struct member *m;

	while ((m = take_spare(spares)))
		kfree(m);
}

/* Under members_lock, as all that follows. */
static void insert(struct ccsample_filter *f, const struct signal_struct *process,
		   struct member *m)
{
	m->process = process;
	m->filter = f;
	hash_add_rcu(members, &m->node, (unsigned long)process);
}

static bool add(struct ccsample_filter *f, const struct signal_struct *process,
		struct hlist_head *spares)
{
	struct member *m;

	if (find(f, process))
		return true;
	m = take_spare(spares);
	if (!m)
		return false;
	insert(f, process, m);
	return true;
}

static bool may_look(const struct task_struct *task)
{
	const struct cred *mine = current_cred(), *its;
	bool may;

	rcu_read_lock();
	its = __task_cred(task);
	may = (uid_eq(mine->euid, its->uid) && uid_eq(mine->euid, its->euid) &&
	       uid_eq(mine->euid, its->suid)) || ns_capable(its->user_ns, CAP_SYS_PTRACE);
	rcu_read_unlock();
	return may;
}

/* Under members_lock. */
static void remove(const struct signal_struct *process)
{
	struct hlist_node *next;
	struct member *m;

	hash_for_each_possible_safe(members, m, next, node, (unsigned long)process) {
		if (m->process != process)
			continue;
		hash_del_rcu(&m->node);
		kfree_rcu(m, rcu);
	}
}

static bool add_living(struct ccsample_filter *f, const struct signal_struct *process)
{
	struct hlist_head spares;
	bool added;

	make_spares(&spares, 1);
	raw_spin_lock_irq(&members_lock);
	added = add(f, process, &spares);
	/*
	 * Pairs with atomic_dec_and_test() of `live` in do_exit(): either that is seen here, or
	 * ccsample_filter_exit(), which follows it, sees the member.
	 */
	smp_mb();
	if (!atomic_read(&process->live))
		remove(process);
	raw_spin_unlock_irq(&members_lock);
	free_spares(&spares);
	return added;
}

/*
 * The process and those of its descendants whose parents still live. In the list of processes a
 * parent stands before its children; so does who adopts them (find_new_reaper()), an ancestor or
 * the first process of their pid namespace. A child born meanwhile stands behind the others, or its
 * parent is a member already.
 */
static bool add_family(struct ccsample_filter *f, const struct signal_struct *root)
{
	const struct task_struct *process, *parent;
	bool added = true;

	rcu_read_lock();
	for_each_process(process) {
		parent = rcu_dereference(process->real_parent);
		if (process->signal == root || find(f, parent->signal))
			added &= add_living(f, process->signal);
	}
	rcu_read_unlock();
	return added;
}

/* Return: false for a process that is dead, and was perhaps not waited for. */
static bool enlist(struct ccsample_filter *f)
{
	struct signal_struct *process = f->task->signal;
	bool lives;

	raw_spin_lock_irq(&members_lock);
	lives = atomic_read(&process->live);
	if (lives)
		list_add(&f->list, &filters);
	if (lives && f->from_exec) {
		f->root = process;
		atomic_inc(&waiting);
	}
	raw_spin_unlock_irq(&members_lock);
	return lives;
}

static int begin(struct ccsample_filter *f)
{
	if (!enlist(f))
		return -ESRCH;
	return f->from_exec || add_family(f, f->task->signal) ? 0 : -ENOMEM;
}

static void forget_root(struct ccsample_filter *f)
{
	if (f->root)
		atomic_dec(&waiting);
	f->root = NULL;
}

/* Nobody finds it any more; task switches may still look at it, and at its members. */
static void withdraw(struct ccsample_filter *f)
{
	struct hlist_node *next;
	struct member *m;
	int bucket;

	raw_spin_lock_irq(&members_lock);
	list_del(&f->list);
	forget_root(f);
	hash_for_each_safe(members, bucket, next, m, node) {
		if (m->filter != f)
			continue;
		hash_del_rcu(&m->node);
		kfree_rcu(m, rcu);
	}
	raw_spin_unlock_irq(&members_lock);
}

static void destroy(struct ccsample_filter *f)
{
	synchronize_rcu();
	put_task_struct(f->task);
	kfree(f->spare);
	kfree(f);
}

static struct ccsample_filter *allocate(struct task_struct *task, bool from_exec)
{
	struct ccsample_filter *f = kzalloc(sizeof(*f), GFP_KERNEL);

	if (!f)
		return NULL;
	INIT_LIST_HEAD(&f->list);
	INIT_LIST_HEAD(&f->users);
	f->from_exec = from_exec;
	f->spare = kmalloc(sizeof(*f->spare), GFP_KERNEL);
	if (!f->spare) {
		kfree(f);
		return NULL;
	}
	f->task = get_task_struct(task);
	return f;
}

static struct ccsample_filter *create(struct task_struct *task, bool from_exec)
{
	struct ccsample_filter *f = allocate(task, from_exec);
	int error;

	if (!f)
		return ERR_PTR(-ENOMEM);
	error = begin(f);
	if (!error)
		return f;
	withdraw(f);
	destroy(f);
	return ERR_PTR(error);
}

/* Under members_lock. */
static void add_user(struct ccsample_filter *f, struct ccsample_filter_user *user)
{
	user->filter = f;
	*user->lost = f->lost;
	list_add(&user->list, &f->users);
}

/* A filter that lets in what a new one would. One that has waited for an exec begins no more. */
static bool join(struct task_struct *task, bool from_exec, struct ccsample_filter_user *user)
{
	const struct signal_struct *process = task->signal;
	struct ccsample_filter *f;

	raw_spin_lock_irq(&members_lock);
	list_for_each_entry(f, &filters, list) {
		if (f->task->signal != process || f->from_exec != from_exec ||
		    !atomic_read(&process->live) || (from_exec && !f->root))
			continue;
		add_user(f, user);
		break;
	}
	raw_spin_unlock_irq(&members_lock);
	return user->filter;
}

static int join_or_create(struct task_struct *task, bool from_exec,
			  struct ccsample_filter_user *user)
{
	struct ccsample_filter *f;

	if (join(task, from_exec, user))
		return 0;
	f = create(task, from_exec);
	if (IS_ERR(f))
		return PTR_ERR(f);
	raw_spin_lock_irq(&members_lock);
	add_user(f, user);
	raw_spin_unlock_irq(&members_lock);
	return 0;
}

int ccsample_filter_get(int pid, bool from_exec, struct ccsample_filter_user *user)
{
	struct task_struct *task;
	int error = -EPERM;

	rcu_read_lock();
	task = pid_task(find_vpid(pid), PIDTYPE_TGID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	if (!task)
		return -ESRCH;
	if (may_look(task)) {
		mutex_lock(&sharing_lock);
		error = join_or_create(task, from_exec, user);
		mutex_unlock(&sharing_lock);
	}
	put_task_struct(task);
	return error;
}

void ccsample_filter_put(struct ccsample_filter_user *user)
{
	struct ccsample_filter *f = user->filter;
	bool last;

	mutex_lock(&sharing_lock);
	raw_spin_lock_irq(&members_lock);
	list_del(&user->list);
	last = list_empty(&f->users);
	raw_spin_unlock_irq(&members_lock);
	if (last)
		withdraw(f);
	mutex_unlock(&sharing_lock);
	if (last)
		destroy(f);
}

/* How many filters has the process? Without the lock: most forks and exits are of others. */
static unsigned int filters_of(const struct signal_struct *process)
{
	const struct member *m;
	unsigned int count = 0;

	rcu_read_lock_sched_notrace();
	hash_for_each_possible_rcu_notrace(members, m, node, (unsigned long)process)
		count += m->process == process;
	rcu_read_unlock_sched_notrace();
	return count;
}

/* In the control area of each of its sessions. */
static void lose(struct ccsample_filter *f)
{
	const struct ccsample_filter_user *each;

	f->lost++;
	list_for_each_entry(each, &f->users, list)
		WRITE_ONCE(*each->lost, f->lost);
}

void ccsample_filter_fork(struct task_struct *parent, struct task_struct *child)
{
	struct hlist_head spares;
	struct ccsample_filter *f;
	unsigned int wanted;
	unsigned long flags;

	if (parent->signal == child->signal)
		return;
	wanted = filters_of(parent->signal);
	if (!wanted)
		return;
	make_spares(&spares, wanted);
	raw_spin_lock_irqsave(&members_lock, flags);
	/* One that has taken up the parent just now finds the child, too, if there is no spare. */
	list_for_each_entry(f, &filters, list) {
		if (find(f, parent->signal) && !add(f, child->signal, &spares))
			lose(f);
	}
	raw_spin_unlock_irqrestore(&members_lock, flags);
	free_spares(&spares);
}

void ccsample_filter_exec(struct task_struct *task)
{
	struct ccsample_filter *f;
	unsigned long flags;

	if (!atomic_read(&waiting))
		return;
	raw_spin_lock_irqsave(&members_lock, flags);
	list_for_each_entry(f, &filters, list) {
		if (f->root != task->signal)
			continue;
		insert(f, f->root, f->spare);
		f->spare = NULL;
		forget_root(f);
	}
	raw_spin_unlock_irqrestore(&members_lock, flags);
}

/* The last thread of a process. */
void ccsample_filter_exit(struct task_struct *task)
{
	struct ccsample_filter *f;
	unsigned long flags;

	if (!atomic_read(&waiting) && !filters_of(task->signal))
		return;
	raw_spin_lock_irqsave(&members_lock, flags);
	remove(task->signal);
	list_for_each_entry(f, &filters, list) {
		if (f->root == task->signal)
			forget_root(f);
	}
	raw_spin_unlock_irqrestore(&members_lock, flags);
}
