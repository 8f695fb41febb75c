/*
 * The attempts that a shell cannot make: `probe NAME ARGUMENT...` makes one. It exits 0 when the attempt got through, with
 * what it got on stdout; otherwise it says on stderr what refused it and exits 1. Nothing is ever written to what is
 * merely opened for writing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FICLONE_NUMBER _IOW(0x94, 9, int)

static int refused(const char *step) {
  fprintf(stderr, "%s: %s\n", step, strerrorname_np(errno));
  return 1;
}

/* Shows what can be read from a descriptor. */
static int show(int fd) {
  char bytes[4096];
  ssize_t n = read(fd, bytes, sizeof bytes);
  if (n < 0) return refused("read");
  fwrite(bytes, 1, n, stdout);
  return 0;
}

static int with_read(char **a) {
  int fd = open(a[0], O_RDONLY);
  return fd < 0 ? refused("open") : show(fd);
}

/* No truncation, no terminal, no waiting, and closed at once: the mere opening must be refused. What is covered is not it. */
static int with_open_for_writing(char **a) {
  struct stat at;
  int fd = open(a[0], O_WRONLY | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return refused("open");
  fstat(fd, &at);
  close(fd);
  if (!S_ISCHR(at.st_mode) || at.st_rdev != makedev(1, 3) || strcmp(a[0], "/dev/null") == 0) return 0;
  fprintf(stderr, "it is /dev/null\n");
  return 1;
}

static int with_mmap(char **a) {
  int fd = open(a[0], O_RDONLY);
  if (fd < 0) return refused("open");
  char *at = mmap(NULL, 64, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) return refused("mmap");
  struct iovec here = {(char[64]){0}, 64}, there = {at, 64};
  /* By a system call, which reports what a load would die of. */
  if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) < 0) return refused("read of the mapping");
  fwrite(here.iov_base, 1, 64, stdout);
  return 0;
}

/* A descriptor that opens nothing, opened again by its name in /proc or in /dev. */
static int with_reopen(char **a) {
  int fd = open(a[1], O_PATH | O_NOFOLLOW);
  if (fd < 0) return refused("O_PATH");
  char name[64];
  snprintf(name, sizeof name, "%s/%d", a[0], fd);
  return with_read((char *[]){name});
}

static int with_openat(char **a) {
  int dir = open(a[0], O_PATH | O_DIRECTORY);
  if (dir < 0) return refused("O_PATH");
  int fd = openat(dir, a[1], O_RDONLY);
  return fd < 0 ? refused("openat") : show(fd);
}

/* `handle ANY-FILE-OF-THE-MOUNT FILE` */
static int with_handle(char **a) {
  struct {
    struct file_handle head;
    char bytes[128];
  } handle = {.head.handle_bytes = 128};
  int id;
  if (name_to_handle_at(AT_FDCWD, a[1], &handle.head, &id, 0) < 0) return refused("name_to_handle_at");
  int mount = open(a[0], O_RDONLY);
  int fd = open_by_handle_at(mount, &handle.head, O_RDONLY);
  return fd < 0 ? refused("open_by_handle_at") : show(fd);
}

static int with_sendfile(char **a) {
  int fd = open(a[0], O_RDONLY);
  if (fd < 0) return refused("open");
  return sendfile(STDOUT_FILENO, fd, NULL, 4096) < 0 ? refused("sendfile") : 0;
}

static int with_splice(char **a) {
  int ends[2], fd = open(a[0], O_RDONLY);
  if (fd < 0 || pipe(ends) < 0) return refused("open");
  if (splice(fd, NULL, ends[1], NULL, 4096, 0) < 0) return refused("splice");
  return show(ends[0]);
}

static int with_copy_range(char **a) {
  int from = open(a[0], O_RDONLY);
  if (from < 0) return refused("open");
  int to = open(a[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (to < 0) return refused("open of the copy");
  if (copy_file_range(from, NULL, to, NULL, 4096, 0) < 0) return refused("copy_file_range");
  lseek(to, 0, SEEK_SET);
  return show(to);
}

/* Executes a script through a descriptor: its output is what is got. */
static int with_fexec(char **a) {
  int fd = open(a[0], O_PATH);
  if (fd < 0) return refused("O_PATH");
  char *argv[] = {"probe", NULL};
  fexecve(fd, argv, environ);
  return refused("fexecve");
}

/* The inode gets a second name by way of its descriptor. */
static int with_link_of_descriptor(char **a) {
  int fd = open(a[0], O_PATH);
  if (fd < 0) return refused("O_PATH");
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  if (linkat(AT_FDCWD, name, AT_FDCWD, a[1], AT_SYMLINK_FOLLOW) < 0) return refused("linkat");
  return with_read(a + 1);
}

static int with_exchange(char **a) {
  if (renameat2(AT_FDCWD, a[0], AT_FDCWD, a[1], RENAME_EXCHANGE) < 0) return refused("renameat2");
  return with_read(a + 1);
}

/* `swap A B SECONDS PAUSE`: swaps two names for so long, with so many microseconds in between; says when it starts. */
static int with_swap(char **a) {
  struct timespec end, now;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += atoi(a[2]);
  puts("swapping");
  fflush(stdout);
  do {
    if (renameat2(AT_FDCWD, a[0], AT_FDCWD, a[1], RENAME_EXCHANGE) < 0 && errno != ENOENT) return refused("renameat2");
    usleep(atoi(a[3]));
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec < end.tv_sec);
  return 0;
}

/* One request over a ring: opens with the given flags; reads, or writes a text. */
static int ring_call(struct io_uring_sqe *wanted) {
  struct io_uring_params p = {0};
  int ring = syscall(SYS_io_uring_setup, 1, &p);
  if (ring < 0) return -errno;
  char *sq = mmap(NULL, p.sq_off.array + 4 * p.sq_entries, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
  char *cq = mmap(NULL, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE, MAP_SHARED,
                  ring, IORING_OFF_CQ_RING);
  struct io_uring_sqe *sqe = mmap(NULL, sizeof *sqe, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
  *sqe = *wanted;
  *(unsigned *)(sq + p.sq_off.array) = 0;
  __atomic_store_n((unsigned *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);
  if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) return -errno;
  int result = ((struct io_uring_cqe *)(cq + p.cq_off.cqes))->res;
  close(ring);
  return result;
}

static int with_ring(char **a) {
  int flags = a[1] == NULL ? O_RDONLY : O_WRONLY | O_TRUNC;
  struct io_uring_sqe open_it = {.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .addr = (unsigned long)a[0], .open_flags = flags};
  int fd = ring_call(&open_it);
  if (fd < 0) return errno = -fd, refused("open over the ring");
  char bytes[4096];
  struct io_uring_sqe move = {.opcode = IORING_OP_READ, .fd = fd, .addr = (unsigned long)bytes, .len = sizeof bytes};
  if (a[1] != NULL) {
    move.opcode = IORING_OP_WRITE;
    move.addr = (unsigned long)a[1];
    move.len = strlen(a[1]);
  }
  int n = ring_call(&move);
  if (n < 0) return errno = -n, refused("read or write over the ring");
  if (a[1] == NULL) fwrite(bytes, 1, n, stdout);
  return 0;
}

static int with_reflink(char **a) {
  int from = open(a[0], O_RDONLY);
  if (from < 0) return refused("open");
  int to = open(a[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (to < 0) return refused("open of the copy");
  return ioctl(to, FICLONE_NUMBER, from) < 0 ? refused("FICLONE") : show(to);
}

#include "probe-processes.h"

static const struct {
  const char *name;
  int (*make)(char **arguments);
} ATTEMPTS[] = {
    {"read", with_read},
    {"open-for-writing", with_open_for_writing},
    {"mmap", with_mmap},
    {"reopen", with_reopen},
    {"openat", with_openat},
    {"handle", with_handle},
    {"sendfile", with_sendfile},
    {"splice", with_splice},
    {"copy-range", with_copy_range},
    {"reflink", with_reflink},
    {"fexec", with_fexec},
    {"link-of-descriptor", with_link_of_descriptor},
    {"exchange", with_exchange},
    {"swap", with_swap},
    {"ring", with_ring},
    PROCESS_ATTEMPTS,
};

int main(int count, char **words) {
  for (size_t i = 0; count > 1 && i < sizeof ATTEMPTS / sizeof *ATTEMPTS; i++) {
    if (strcmp(words[1], ATTEMPTS[i].name) == 0) return ATTEMPTS[i].make(words + 2);
  }
  fprintf(stderr, "no such attempt\n");
  return 2;
}
