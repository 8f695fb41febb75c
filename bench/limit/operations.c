/* The requests: each is the system call of its name, done to the source. */
#include "limit.h"
#include <sys/statvfs.h>
#include <sys/xattr.h>

/* A system call's result as a reply: a length or a negative errno. */
static long or_errno(long result) {
  return result < 0 ? -errno : result;
}

static long look_up(const struct node *parent, const char *name, void *out) {
  int fd = openat(parent->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  return fd < 0 ? -errno : enter(fd, 0, out);
}

/* LOOKUP: a name that there is not is remembered, too. */
static long lookup(const struct node *parent, const char *name, char *out) {
  long length = look_up(parent, name, out);
  if (length != -ENOENT) return length;
  *(struct fuse_entry_out *)out = (struct fuse_entry_out){.entry_valid = VALID};
  return sizeof(struct fuse_entry_out);
}

/* The entry of what a system call has just made. */
static long made(int result, const struct node *parent, const char *name, char *out) {
  return result < 0 ? -errno : look_up(parent, name, out);
}

static long make_node(const struct node *parent, const struct fuse_mknod_in *in, char *out) {
  const char *name = (const char *)(in + 1);
  if (!S_ISREG(in->mode)) return made(mknodat(parent->fd, name, in->mode, in->rdev), parent, name, out);
  int fd = openat(parent->fd, name, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, in->mode & 07777);
  return fd < 0 ? -errno : enter(fd, 1, (struct fuse_entry_out *)out);
}

static long make_directory(const struct node *parent, const struct fuse_mkdir_in *in, char *out) {
  const char *name = (const char *)(in + 1);
  return made(mkdirat(parent->fd, name, in->mode), parent, name, out);
}

static long make_symlink(const struct node *parent, const char *name, char *out) {
  const char *target = name + strlen(name) + 1;
  return made(symlinkat(target, parent->fd, name), parent, name, out);
}

static long make_link(const struct node *parent, const struct fuse_link_in *in, char *out) {
  const char *name = (const char *)(in + 1);
  struct path path = path_of(node_of(in->oldnodeid));
  return made(linkat(AT_FDCWD, path.text, parent->fd, name, AT_SYMLINK_FOLLOW), parent, name, out);
}

static long rename_to(const struct node *parent, uint64_t to, uint32_t flags, const char *name) {
  const char *new_name = name + strlen(name) + 1;
  return or_errno(renameat2(parent->fd, name, node_of(to)->fd, new_name, flags));
}

static long attributes(const struct node *node, char *out) {
  struct stat st;
  if (fstat(node->fd, &st) < 0) return -errno;
  struct fuse_attr_out *attr = (struct fuse_attr_out *)out;
  *attr = (struct fuse_attr_out){.attr_valid = VALID};
  put_attr(&attr->attr, &st);
  return sizeof *attr;
}

static int change_mode(const struct node *node, mode_t mode) {
  return node->is_open ? fchmod(node->fd, mode) : chmod(path_of(node).text, mode);
}

static int drop_set_ids(const struct node *node) {
  struct stat st;
  if (fstat(node->fd, &st) < 0) return -1;
  return st.st_mode & (S_ISUID | S_ISGID) ? change_mode(node, st.st_mode & 01777) : 0;
}

static struct timespec chosen(int is_now, int is_given, struct timespec time) {
  if (is_now) time.tv_nsec = UTIME_NOW;
  else if (!is_given) time.tv_nsec = UTIME_OMIT;
  return time;
}

static int change_times(const struct node *node, const struct fuse_setattr_in *in) {
  struct timespec atime = {in->atime, in->atimensec}, mtime = {in->mtime, in->mtimensec};
  struct timespec times[] = {chosen(in->valid & FATTR_ATIME_NOW, in->valid & FATTR_ATIME, atime),
                             chosen(in->valid & FATTR_MTIME_NOW, in->valid & FATTR_MTIME, mtime)};
  return utimensat(node->fd, "", times, AT_EMPTY_PATH);
}

/* The ctime that comes along with the kernel's own mtime cannot be set. */
static long change_attributes(struct node *node, const struct fuse_setattr_in *in, char *out) {
  uint32_t valid = in->valid;
  uid_t uid = valid & FATTR_UID ? in->uid : (uid_t)-1;
  gid_t gid = valid & FATTR_GID ? in->gid : (gid_t)-1;
  if (valid & FATTR_KILL_SUIDGID && drop_set_ids(node) < 0) return -errno;
  if (valid & (FATTR_UID | FATTR_GID) && fchownat(node->fd, "", uid, gid, AT_EMPTY_PATH) < 0) return -errno;
  if (valid & FATTR_MODE && change_mode(node, in->mode & 07777) < 0) return -errno;
  if (valid & FATTR_SIZE && (content_of(node) < 0 || ftruncate(node->fd, in->size) < 0)) return -errno;
  if (valid & (FATTR_ATIME | FATTR_MTIME) && change_times(node, in) < 0) return -errno;
  return attributes(node, out);
}

static long read_content(struct node *node, const struct fuse_read_in *in, char *out) {
  int fd = content_of(node);
  return fd < 0 ? -errno : or_errno(pread(fd, out, in->size, in->offset));
}

static long written(long count, char *out) {
  if (count < 0) return -errno;
  *(struct fuse_write_out *)out = (struct fuse_write_out){.size = count};
  return sizeof(struct fuse_write_out);
}

static long write_content(struct node *node, const struct fuse_write_in *in, char *out) {
  int fd = content_of(node);
  if (fd < 0) return -errno;
  if (in->write_flags & FUSE_WRITE_KILL_SUIDGID && drop_set_ids(node) < 0) return -errno;
  return written(pwrite(fd, in + 1, in->size, in->offset), out);
}

static long copy_range(struct node *from, const struct fuse_copy_file_range_in *in, char *out) {
  struct node *to = node_of(in->nodeid_out);
  if (content_of(from) < 0 || content_of(to) < 0) return -errno;
  off_t read_at = in->off_in, write_at = in->off_out;
  size_t length = in->len < INT32_MAX ? in->len : INT32_MAX;
  return written(copy_file_range(from->fd, &read_at, to->fd, &write_at, length, 0), out);
}

static long synchronise(struct node *node, const struct fuse_fsync_in *in) {
  int fd = content_of(node);
  return fd < 0 ? -errno : or_errno(in->fsync_flags & FUSE_FSYNC_FDATASYNC ? fdatasync(fd) : fsync(fd));
}

static long synchronise_directory(const struct node *node) {
  int fd = openat(node->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return -errno;
  long result = or_errno(fsync(fd));
  close(fd);
  return result;
}

/* A name and what it is; returns its length, 0 where there is no room for it. What has no entry is listed all the same. */
static long put_name(const struct node *dir, const struct dirent *name, long room, char *to) {
  struct fuse_direntplus *plus = (struct fuse_direntplus *)to;
  size_t namelen = strlen(name->d_name);
  long length = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET_DIRENTPLUS + namelen);
  if (length > room) return 0;
  memset(to, 0, length);
  if (strcmp(name->d_name, ".") && strcmp(name->d_name, "..")) look_up(dir, name->d_name, &plus->entry_out);
  plus->dirent.ino = name->d_ino;
  plus->dirent.off = name->d_off;
  plus->dirent.namelen = namelen;
  plus->dirent.type = name->d_type;
  memcpy(plus->dirent.name, name->d_name, namelen);
  return length;
}

static int go_to(struct node *node, uint64_t at) {
  if (!node->dir) node->dir = fdopendir(openat(node->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!node->dir) return -1;
  if (at == 0 || at != node->at) {
    seekdir(node->dir, at);
    node->left = NULL;
    node->at = at;
  }
  return 0;
}

static long list(struct node *node, const struct fuse_read_in *in, char *out) {
  if (go_to(node, in->offset) < 0) return -errno;
  long length = 0;
  struct dirent *name = node->left ? node->left : readdir(node->dir);
  while (name) {
    long put = put_name(node, name, in->size - length, out + length);
    if (put == 0) break;
    length += put;
    node->at = name->d_off;
    name = readdir(node->dir);
  }
  node->left = name;
  return length;
}

/* Lengths are asked for with no room. */
static long sized(long length, uint32_t room, char *out) {
  if (length < 0) return -errno;
  if (room > 0) return length;
  *(struct fuse_getxattr_out *)out = (struct fuse_getxattr_out){.size = length};
  return sizeof(struct fuse_getxattr_out);
}

static long get_xattr(const struct node *node, const struct fuse_getxattr_in *in, char *out) {
  const char *name = (const char *)(in + 1);
  if (node->is_open) return sized(fgetxattr(node->fd, name, out, in->size), in->size, out);
  return sized(getxattr(path_of(node).text, name, out, in->size), in->size, out);
}

static long list_xattr(const struct node *node, const struct fuse_getxattr_in *in, char *out) {
  return sized(listxattr(path_of(node).text, out, in->size), in->size, out);
}

static long set_xattr(const struct node *node, const struct fuse_setxattr_in *in) {
  const char *name = (const char *)in + FUSE_COMPAT_SETXATTR_IN_SIZE;
  return or_errno(setxattr(path_of(node).text, name, name + strlen(name) + 1, in->size, in->flags));
}

static long statistics(char *out) {
  struct statvfs st;
  if (fstatvfs(root.fd, &st) < 0) return -errno;
  struct fuse_statfs_out *to = (struct fuse_statfs_out *)out;
  *to = (struct fuse_statfs_out){.st = {.blocks = st.f_blocks, .bfree = st.f_bfree, .bavail = st.f_bavail,
                                        .files = st.f_files, .ffree = st.f_ffree, .bsize = st.f_bsize,
                                        .namelen = st.f_namemax, .frsize = st.f_frsize}};
  return sizeof *to;
}

/* What is not here is answered once with ENOSYS: the kernel does it itself, or falls back to what is. */
long serve(const struct fuse_in_header *in, const void *arg, char *out) {
  struct node *node = node_of(in->nodeid);
  switch (in->opcode) {
    case FUSE_LOOKUP: return lookup(node, arg, out);
    case FUSE_GETATTR: return attributes(node, out);
    case FUSE_SETATTR: return change_attributes(node, arg, out);
    case FUSE_READLINK: return or_errno(readlinkat(node->fd, "", out, MAX_WRITE));
    case FUSE_SYMLINK: return make_symlink(node, arg, out);
    case FUSE_MKNOD: return make_node(node, arg, out);
    case FUSE_MKDIR: return make_directory(node, arg, out);
    case FUSE_UNLINK: return or_errno(unlinkat(node->fd, arg, 0));
    case FUSE_RMDIR: return or_errno(unlinkat(node->fd, arg, AT_REMOVEDIR));
    case FUSE_RENAME: {
      const struct fuse_rename_in *rename = arg;
      return rename_to(node, rename->newdir, 0, (const char *)(rename + 1));
    }
    case FUSE_RENAME2: {
      const struct fuse_rename2_in *rename = arg;
      return rename_to(node, rename->newdir, rename->flags, (const char *)(rename + 1));
    }
    case FUSE_LINK: return make_link(node, arg, out);
    case FUSE_READ: return read_content(node, arg, out);
    case FUSE_WRITE: return write_content(node, arg, out);
    case FUSE_STATFS: return statistics(out);
    case FUSE_FSYNC: return synchronise(node, arg);
    case FUSE_FSYNCDIR: return synchronise_directory(node);
    case FUSE_SETXATTR: return set_xattr(node, arg);
    case FUSE_GETXATTR: return get_xattr(node, arg, out);
    case FUSE_LISTXATTR: return list_xattr(node, arg, out);
    case FUSE_REMOVEXATTR: return or_errno(removexattr(path_of(node).text, arg));
    case FUSE_READDIRPLUS: return list(node, arg, out);
    case FUSE_COPY_FILE_RANGE: return copy_range(node, arg, out);
    default: return -ENOSYS;
  }
}
