// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <asm/tsc.h>

#include "chardev.h"
#include "cpu.h"
#include "models.h"
#include "request.h"
#include "session.h"

/*
 * An open file. epoll calls poll_wait() once, when the file is given to it, which may be before
 * OPEN: so the queue is the file's.
 */
struct handle {
	struct ccsample_session *session;	/* from OPEN on */
	wait_queue_head_t wait;
};

/*
 * The caller's struct, whose first member is its size, into ours: what a
 * shorter one lacks is zero, what a longer one has more must be.
 */
static int take(void *to, size_t size, void __user *from)
{
	u32 theirs;

	if (get_user(theirs, (u32 __user *)from))
		return -EFAULT;
	if (theirs < sizeof(theirs))
		return -EINVAL;
	/* As of perf_event_open(): nobody shall have us look through gigabytes of zeros. */
	if (theirs > PAGE_SIZE)
		return -E2BIG;
	return copy_struct_from_user(to, size, from, theirs);
}

static int give(void __user *to, const void *from, size_t size)
{
	const u32 theirs = *(const u32 *)from;

	return copy_to_user(to, from, min_t(size_t, theirs, size)) ? -EFAULT : 0;
}

/* A CPU as a caller names it. Return: its kind, or an error pointer. */
static const struct ccsample_cpu *kind_of(u32 cpu)
{
	const struct ccsample_cpu *kind;

	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return ERR_PTR(-EINVAL);
	kind = ccsample_cpu_of(cpu);
	return kind ?: ERR_PTR(-ENODEV);
}

static long query(void __user *to)
{
	const struct ccsample_model *model;
	const struct ccsample_cpu *kind;
	struct ccsample_query q;
	int error = take(&q, sizeof(q), to);

	if (error)
		return error;
	if (q.period_bits)
		return -EINVAL;
	kind = kind_of(q.cpu);
	if (IS_ERR(kind))
		return PTR_ERR(kind);
	model = kind->model;
	q = (struct ccsample_query){
		.size = q.size,
		.abi = CCSAMPLE_ABI,
		.pebs_format = kind->pebs_format,
		.features = ccsample_request_features(kind),
		.counters = kind->counters,
		.counter_bits = kind->counter_bits,
		.named_events = model ? model->nr_events : 0,
		.least_period = kind->least_period,
		.least_burst = kind->least_burst,
		.tsc_khz = tsc_khz,
		.period_bits = kind->period_bits,
		.cpu = q.cpu,
	};
	if (kind->core)
		strscpy(q.device, ccsample_core_device(kind->core), sizeof(q.device));
	if (model)
		strscpy(q.model, model->name, sizeof(q.model));
	if (model && model->warning)
		strscpy(q.warning, model->warning, sizeof(q.warning));
	return give(to, &q, sizeof(q));
}

static long query_event(void __user *to)
{
	const struct ccsample_named_event *event;
	const struct ccsample_model *model;
	const struct ccsample_cpu *kind;
	struct ccsample_query_event q;
	int error = take(&q, sizeof(q), to);

	if (error)
		return error;
	kind = kind_of(q.cpu);
	if (IS_ERR(kind))
		return PTR_ERR(kind);
	model = kind->model;
	if (!model || q.index >= model->nr_events)
		return -EINVAL;
	event = &model->events[array_index_nospec(q.index, model->nr_events)];
	q.config = event->config;
	q.level = event->level;
	q.references = event->references;
	q.flags = event->stores ? CCSAMPLE_EVENT_STORES : 0;
	memset(q.name, 0, sizeof(q.name));
	strscpy(q.name, event->name, sizeof(q.name));
	memset(q.warning, 0, sizeof(q.warning));
	strscpy(q.warning, event->warning, sizeof(q.warning));
	return give(to, &q, sizeof(q));
}

static long open_session(struct handle *handle, void __user *to)
{
	struct ccsample_session *s;
	struct ccsample_open ask;
	int error = take(&ask, sizeof(ask), to);

	if (error)
		return error;
	if (READ_ONCE(handle->session))
		return -EBUSY;
	s = ccsample_session_open(&ask, &handle->wait);
	if (IS_ERR(s))
		return PTR_ERR(s);
	error = give(to, &ask, sizeof(ask));
	/* Two threads may have come here at once. */
	if (!error && cmpxchg(&handle->session, NULL, s))
		error = -EBUSY;
	if (error)
		ccsample_session_close(s);
	return error;
}

static long read_counts(struct ccsample_session *s, void __user *to)
{
	struct ccsample_read answer;
	int error = take(&answer, sizeof(answer), to);

	if (error)
		return error;
	if (answer.reserved)
		return -EINVAL;
	answer = (struct ccsample_read){ .size = answer.size };
	error = ccsample_session_read(s, &answer);
	return error ?: give(to, &answer, sizeof(answer));
}

static long change_period(struct ccsample_session *s, void __user *to)
{
	struct ccsample_period ask;
	int error = take(&ask, sizeof(ask), to);

	if (!error)
		error = ccsample_session_period(s, &ask);
	return error ?: give(to, &ask, sizeof(ask));
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct handle *handle = file->private_data;
	struct ccsample_session *s = READ_ONCE(handle->session);
	void __user *user = (void __user *)argument;

	/* The size in the number is the caller's; take() reads it in the struct. */
	if (_IOC_TYPE(command) != _IOC_TYPE(CCSAMPLE_QUERY))
		return -ENOTTY;
	switch (_IOC_NR(command)) {
	case _IOC_NR(CCSAMPLE_QUERY):
		return query(user);
	case _IOC_NR(CCSAMPLE_QUERY_EVENT):
		return query_event(user);
	case _IOC_NR(CCSAMPLE_OPEN):
		return open_session(handle, user);
	case _IOC_NR(CCSAMPLE_ENABLE):
		return s ? ccsample_session_enable(s) : -EINVAL;
	case _IOC_NR(CCSAMPLE_DISABLE):
		return s ? ccsample_session_disable(s) : -EINVAL;
	case _IOC_NR(CCSAMPLE_CHECK):
		return s ? ccsample_session_check(s) : -EINVAL;
	case _IOC_NR(CCSAMPLE_FLUSH):
		return s ? ccsample_session_flush(s) : -EINVAL;
	case _IOC_NR(CCSAMPLE_READ):
		return s ? read_counts(s, user) : -EINVAL;
	case _IOC_NR(CCSAMPLE_PERIOD):
		return s ? change_period(s, user) : -EINVAL;
	}
	return -ENOTTY;
}

static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	const struct handle *handle = file->private_data;
	const struct ccsample_session *s = READ_ONCE(handle->session);

	return s ? ccsample_memory_mmap(s->memory, vma) : -EINVAL;
}

static __poll_t device_poll(struct file *file, struct poll_table_struct *table)
{
	struct handle *handle = file->private_data;
	const struct ccsample_session *s = READ_ONCE(handle->session);
	__poll_t events = 0;

	poll_wait(file, &handle->wait, table);
	if (!s)
		return EPOLLERR;
	if (READ_ONCE(s->control->state) == CCSAMPLE_ENDED)
		events |= EPOLLHUP;
	if (READ_ONCE(s->control->head) != READ_ONCE(s->reader->tail))
		events |= EPOLLIN | EPOLLRDNORM;
	return events;
}

static int device_release(struct inode *inode, struct file *file)
{
	struct handle *handle = file->private_data;

	if (handle->session)
		ccsample_session_close(handle->session);
	kfree(handle);
	return 0;
}

static int device_open(struct inode *inode, struct file *file)
{
	struct handle *handle = kzalloc(sizeof(*handle), GFP_KERNEL_ACCOUNT);

	if (!handle)
		return -ENOMEM;
	init_waitqueue_head(&handle->wait);
	file->private_data = handle;
	return 0;
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = device_mmap,
	.poll = device_poll,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ccsample",
	.mode = 0660,
	.fops = &device_operations,
};

int ccsample_chardev_init(void)
{
	return misc_register(&device);
}

void ccsample_chardev_exit(void)
{
	misc_deregister(&device);
}
