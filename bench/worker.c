/*
 * The worker of the benchmark: does one thing to many files and prints how long it took, in nanoseconds. The same
 * binary runs on every system, so that what is compared is the file system and not the program.
 *
 *     worker create DIR N SIZE     worker stat DIR N PASSES      worker rename DIR N
 *     worker append DIR N SIZE     worker read DIR N PASSES      worker unlink DIR N
 *     worker readdir DIR PASSES    worker mkdir DIR N            worker touch DIR N
 *     worker open DIR N PASSES
 *     worker seqwrite FILE BLOCK TOTAL      worker seqread FILE BLOCK PASSES      worker exec CMD...
 *
 * PASSES = 0: one pass over cold caches. Otherwise one pass that is not timed comes first. Files of DIR are f00000 on.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];

static void die(const char *what) {
  fprintf(stderr, "worker: %s: %s\n", what, strerror(errno));
  exit(1);
}

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void name(char *into, const char *dir, const char *prefix, int i) {
  snprintf(into, 4096, "%s/%s%05d", dir, prefix, i);
}

static void write_file(const char *path, int flags, long size) {
  int fd = open(path, flags, 0644);
  if (fd < 0) die(path);
  if (write(fd, buffer, size) != size) die(path);
  if (close(fd) < 0) die(path);
}

static void read_file(const char *path) {
  int fd = open(path, O_RDONLY);
  if (fd < 0) die(path);
  while (read(fd, buffer, 65536) > 0) continue;
  close(fd);
}

static void open_file(const char *path) {
  int fd = open(path, O_RDONLY);
  if (fd < 0) die(path);
  close(fd);
}

static void list(const char *path) {
  DIR *dir = opendir(path);
  if (!dir) die(path);
  while (readdir(dir)) continue;
  closedir(dir);
}

static void one(const char *op, const char *dir, int i, long size) {
  char path[4096], other[4096];
  struct stat st;
  name(path, dir, strcmp(op, "mkdir") ? "f" : "d", i);
  if (!strcmp(op, "create")) write_file(path, O_CREAT | O_EXCL | O_WRONLY, size);
  else if (!strcmp(op, "append")) write_file(path, O_WRONLY | O_APPEND, size);
  else if (!strcmp(op, "stat")) { if (stat(path, &st) < 0) die(path); }
  else if (!strcmp(op, "read")) read_file(path);
  else if (!strcmp(op, "open")) open_file(path);
  else if (!strcmp(op, "unlink")) { if (unlink(path) < 0) die(path); }
  else if (!strcmp(op, "mkdir")) { if (mkdir(path, 0755) < 0) die(path); }
  else if (!strcmp(op, "touch")) { if (utimensat(AT_FDCWD, path, NULL, 0) < 0) die(path); }
  else if (!strcmp(op, "rename")) {
    name(other, dir, "r", i);
    if (rename(path, other) < 0) die(path);
  } else {
    fprintf(stderr, "worker: no such operation: %s\n", op);
    exit(2);
  }
}

static void seqwrite(const char *path, long block, long total) {
  int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (fd < 0) die(path);
  for (long at = 0; at < total; at += block)
    if (write(fd, buffer, block) != block) die(path);
  if (close(fd) < 0) die(path);
}

static void seqread(const char *path, long block) {
  int fd = open(path, O_RDONLY);
  if (fd < 0) die(path);
  while (read(fd, buffer, block) > 0) continue;
  close(fd);
}

static void run(char **argv) {
  pid_t pid = fork();
  int status;
  if (pid == 0) {
    /* What the command says is not measured; stdout carries the result. */
    dup2(open("/dev/null", O_WRONLY), 1);
    execvp(argv[0], argv);
    die(argv[0]);
  }
  if (waitpid(pid, &status, 0) < 0 || status != 0) {
    fprintf(stderr, "worker: %s failed\n", argv[0]);
    exit(1);
  }
}

static void pass(int argc, char **argv) {
  const char *op = argv[1];
  long n = argc > 3 ? atol(argv[3]) : 0;
  if (!strcmp(op, "exec")) run(argv + 2);
  else if (!strcmp(op, "readdir")) list(argv[2]);
  else if (!strcmp(op, "seqwrite")) seqwrite(argv[2], n, atol(argv[4]));
  else if (!strcmp(op, "seqread")) seqread(argv[2], n);
  else for (int i = 0; i < n; i++) one(op, argv[2], i, argc > 4 ? atol(argv[4]) : 0);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *op = argv[1];
  int repeats = !strcmp(op, "stat") || !strcmp(op, "read") || !strcmp(op, "open") ||
                !strcmp(op, "seqread") || !strcmp(op, "readdir");
  long passes = repeats ? atol(argv[argc - 1]) : 0;
  memset(buffer, 'x', sizeof buffer);
  if (passes > 0) pass(argc, argv);
  long long start = now();
  for (long i = 0; i < (passes > 0 ? passes : 1); i++) pass(argc, argv);
  printf("%lld\n", (now() - start) / (passes > 0 ? passes : 1));
  return 0;
}
