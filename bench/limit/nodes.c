/* The nodes: which inode of the source a number of the kernel stands for. */
#include "limit.h"

#define BUCKETS (1 << 16)

struct node root;
static struct node *buckets[BUCKETS];

void die(const char *what) {
  fprintf(stderr, "limit: %s: %s\n", what, strerror(errno));
  exit(1);
}

struct node *node_of(uint64_t id) {
  return id == FUSE_ROOT_ID ? &root : (struct node *)id;
}

static struct node **bucket_of(ino_t ino) {
  return &buckets[ino % BUCKETS];
}

struct path path_of(const struct node *node) {
  struct path path;
  snprintf(path.text, sizeof path.text, "/proc/self/fd/%d", node->fd);
  return path;
}

/* A descriptor of its content; -1 with an errno. */
int content_of(struct node *node) {
  if (node->is_open) return node->fd;
  struct path path = path_of(node);
  int fd = open(path.text, O_RDWR | O_CLOEXEC);
  if (fd < 0) fd = open(path.text, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  close(node->fd);
  node->is_open = 1;
  return node->fd = fd;
}

void put_attr(struct fuse_attr *to, const struct stat *st) {
  *to = (struct fuse_attr){
      .ino = st->st_ino, .size = st->st_size, .blocks = st->st_blocks, .blksize = st->st_blksize,
      .atime = st->st_atim.tv_sec, .mtime = st->st_mtim.tv_sec, .ctime = st->st_ctim.tv_sec,
      .atimensec = st->st_atim.tv_nsec, .mtimensec = st->st_mtim.tv_nsec, .ctimensec = st->st_ctim.tv_nsec,
      .mode = st->st_mode, .nlink = st->st_nlink, .uid = st->st_uid, .gid = st->st_gid, .rdev = st->st_rdev};
}

/* One lookup more of what `fd` is, which is kept or closed. */
long enter(int fd, int is_open, struct fuse_entry_out *entry) {
  struct stat st;
  if (fstat(fd, &st) < 0) die("fstat");
  struct node **bucket = bucket_of(st.st_ino), *node = *bucket;
  while (node && (node->ino != st.st_ino || node->dev != st.st_dev)) node = node->next;
  if (node) close(fd);
  else {
    node = malloc(sizeof *node);
    if (!node) die("no memory");
    *node = (struct node){.next = *bucket, .dev = st.st_dev, .ino = st.st_ino, .fd = fd, .is_open = is_open};
    *bucket = node;
  }
  node->lookups++;
  *entry = (struct fuse_entry_out){.nodeid = (uint64_t)node, .entry_valid = VALID, .attr_valid = VALID};
  put_attr(&entry->attr, &st);
  return sizeof *entry;
}

void forget(uint64_t id, uint64_t lookups) {
  struct node *node = node_of(id);
  if (node == &root || (node->lookups -= lookups) > 0) return;
  struct node **link = bucket_of(node->ino);
  while (*link != node) link = &(*link)->next;
  *link = node->next;
  if (node->dir) closedir(node->dir);
  close(node->fd);
  free(node);
}
