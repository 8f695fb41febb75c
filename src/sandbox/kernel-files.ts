/** The kernel's files below /proc and /sys that the view covers or makes read-only, as words for the holder's programs. */

/** Interfaces in /proc that user 0 of the host could change it through, whatever rights it has. */
export const PROC_READ_ONLY = 'acpi bus driver dynamic_debug fs irq mtrr scsi sys sysrq-trigger';

/** Those that show the kernel's secrets. */
export const PROC_MASKED = 'kcore keys kmsg latency_stats timer_list timer_stats sched_debug';

/** The same of /sys: traces, firmware, and programs and objects of the kernel. */
export const SYS_MASKED = 'firmware fs/bpf kernel/debug kernel/security kernel/tracing';

/** What stands for all of them when the view is checked once it is made: opened for writing, never written. */
export const PROC_PROBED = 'sys/kernel/core_pattern sysrq-trigger';
