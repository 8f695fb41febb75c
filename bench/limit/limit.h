/* What the parts of the limit share: main.c says what it is. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_WRITE (1 << 20)
/* Seconds for which the kernel believes an answer. */
#define VALID 86400

/*
 * An inode of the source and a descriptor of it: O_PATH at first, one that reads and writes once content is asked for.
 * So nothing here knows paths, a rename changes nothing, and a deleted file lives until it is forgotten.
 */
struct node {
  struct node *next; /* of the same bucket */
  dev_t dev;
  ino_t ino;
  uint64_t lookups;
  int fd;
  int is_open;
  /* A listing: where it goes on, and the name that did not fit the last reply. */
  DIR *dir;
  uint64_t at;
  struct dirent *left;
};

/* A path to what a node is, for system calls that take no O_PATH descriptor. */
struct path {
  char text[32];
};

/* nodes.c */
extern struct node root;
void die(const char *what);
struct node *node_of(uint64_t id);
struct path path_of(const struct node *node);
int content_of(struct node *node);
void put_attr(struct fuse_attr *to, const struct stat *st);
long enter(int fd, int is_open, struct fuse_entry_out *entry);
void forget(uint64_t id, uint64_t lookups);

/* operations.c: the bytes that it put into `out`, or a negative errno. */
long serve(const struct fuse_in_header *in, const void *arg, char *out);
