/*
 * The limit of the benchmark: a FUSE server that passes every request on to another directory and does nothing else.
 *
 *     limit SOURCE MOUNTPOINT COUNTERS
 *
 * One thread, the kernel's protocol without a library, on our terms (src/fuse/README.md): write-back, no OPEN, OPENDIR,
 * CREATE and FLUSH, answers valid for a day. It says so when it is mounted, and serves until that is unmounted. COUNTERS
 * becomes a file of 64-bit numbers: requests by opcode. All is done as the user who runs it, and nobody else changes
 * SOURCE meanwhile.
 */
#include "limit.h"
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>

#define OPCODES 128
#define MAX_NODES (1 << 20)
#define FLAGS                                                                                                     \
  (FUSE_ASYNC_READ | FUSE_BIG_WRITES | FUSE_MAX_PAGES | FUSE_PARALLEL_DIROPS | FUSE_DO_READDIRPLUS |               \
   FUSE_WRITEBACK_CACHE | FUSE_CACHE_SYMLINKS | FUSE_NO_OPEN_SUPPORT | FUSE_NO_OPENDIR_SUPPORT |                   \
   FUSE_HANDLE_KILLPRIV_V2)

static char request[MAX_WRITE + 65536] __attribute__((aligned(4096)));
static char reply[MAX_WRITE + 65536] __attribute__((aligned(4096)));

static long initialise(const struct fuse_init_in *in, char *out) {
  *(struct fuse_init_out *)out = (struct fuse_init_out){
      .major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_readahead = in->max_readahead,
      .flags = FLAGS & in->flags, .max_background = 64, .congestion_threshold = 48, .max_write = MAX_WRITE,
      .time_gran = 1, .max_pages = MAX_WRITE / 4096};
  return sizeof(struct fuse_init_out);
}

static void forget_all(const struct fuse_batch_forget_in *in) {
  const struct fuse_forget_one *one = (const struct fuse_forget_one *)(in + 1);
  for (uint32_t i = 0; i < in->count; i++) forget(one[i].nodeid, one[i].nlookup);
}

static void answer(int device, const struct fuse_in_header *in, long result) {
  struct fuse_out_header *header = (struct fuse_out_header *)reply;
  *header = (struct fuse_out_header){
      .len = sizeof *header + (result > 0 ? result : 0), .error = result < 0 ? result : 0, .unique = in->unique};
  /* ENOENT: who asked was killed meanwhile. */
  if (write(device, reply, header->len) < 0 && errno != ENOENT && errno != ENODEV) die("write a reply");
}

static void loop(int device, uint64_t *counters) {
  const struct fuse_in_header *in = (const struct fuse_in_header *)request;
  char *out = reply + sizeof(struct fuse_out_header);
  for (;;) {
    if (read(device, request, sizeof request) < 0) {
      if (errno == ENODEV) return;
      if (errno != EINTR && errno != ENOENT && errno != EAGAIN) die("read a request");
      continue;
    }
    if (in->opcode < OPCODES) counters[in->opcode]++;
    const void *arg = in + 1;
    if (in->opcode == FUSE_FORGET) forget(in->nodeid, ((const struct fuse_forget_in *)arg)->nlookup);
    else if (in->opcode == FUSE_BATCH_FORGET) forget_all(arg);
    else if (in->opcode == FUSE_INIT) answer(device, in, initialise(arg, out));
    /* Whatever an INTERRUPT is about has been answered. */
    else if (in->opcode != FUSE_INTERRUPT) answer(device, in, serve(in, arg, out));
  }
}

static uint64_t *counters_in(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  size_t size = OPCODES * sizeof(uint64_t);
  if (fd < 0 || ftruncate(fd, size) < 0) die(path);
  uint64_t *counters = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (counters == MAP_FAILED) die(path);
  close(fd);
  return counters;
}

static int mounted(const char *mountpoint, mode_t mode) {
  int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device < 0) die("/dev/fuse");
  char options[128];
  snprintf(options, sizeof options, "fd=%d,rootmode=%o,user_id=%d,group_id=%d,default_permissions,allow_other", device,
           mode & S_IFMT, getuid(), getgid());
  if (mount("limit", mountpoint, "fuse.limit", MS_NOSUID | MS_NODEV, options) < 0) die(mountpoint);
  return device;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  /* A descriptor a node. Who may not raise the limit has fewer nodes. */
  setrlimit(RLIMIT_NOFILE, &(struct rlimit){MAX_NODES, MAX_NODES});
  umask(0);
  struct stat st;
  root.fd = open(argv[1], O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root.fd < 0 || fstat(root.fd, &st) < 0) die(argv[1]);
  root.dev = st.st_dev;
  root.ino = st.st_ino;
  uint64_t *counters = counters_in(argv[3]);
  int device = mounted(argv[2], st.st_mode);
  puts("mounted");
  fclose(stdout);
  loop(device, counters);
  return 0;
}
