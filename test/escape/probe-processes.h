/* The attempts of probe.c that are about processes, descriptors and sockets. */

static int with_ptrace(char **a) {
  pid_t pid = atoi(a[0]);
  if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) < 0) return refused("ptrace");
  /* A process that is just executing stops for that first; let go then, it would stay in the stop that attaching asks for. */
  int status;
  while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) && WSTOPSIG(status) != SIGSTOP)
    ptrace(PTRACE_CONT, pid, NULL, NULL);
  ptrace(PTRACE_DETACH, pid, NULL, NULL);
  return 0;
}

static int with_memory_of(char **a) {
  char bytes[8];
  struct iovec here = {bytes, 8}, there = {(void *)strtoul(a[1], NULL, 16), 8};
  return process_vm_readv(atoi(a[0]), &here, 1, &there, 1, 0) < 0 ? refused("process_vm_readv") : 0;
}

/* Takes a descriptor out of another process. */
static int with_descriptor_of(char **a) {
  int pidfd = syscall(SYS_pidfd_open, atoi(a[0]), 0);
  if (pidfd < 0) return refused("pidfd_open");
  int fd = syscall(SYS_pidfd_getfd, pidfd, atoi(a[1]), 0);
  if (fd < 0) return refused("pidfd_getfd");
  lseek(fd, 0, SEEK_SET);
  return show(fd);
}

static int with_signal(char **a) { return kill(atoi(a[0]), 0) < 0 ? refused("kill") : 0; }

/* Joins a namespace and reads a file there. */
static int with_namespace(char **a) {
  int fd = open(a[0], O_RDONLY);
  if (fd < 0) return refused("open of the namespace");
  if (setns(fd, 0) < 0) return refused("setns");
  return with_read(a + 1);
}

/* Every descriptor beyond the standard three, with the secret if it lies in that directory; /dev/null leads nowhere. */
static int with_descriptors(char **a) {
  int found = 0;
  struct stat at;
  for (int fd = 3; fd < 1024; fd++) {
    if (fstat(fd, &at) < 0 || (S_ISCHR(at.st_mode) && at.st_rdev == makedev(1, 3))) continue;
    found++;
    printf("descriptor %d\n", fd);
    int file = openat(fd, a[0], O_RDONLY);
    if (file >= 0) show(file);
  }
  if (found == 0) fprintf(stderr, "none is open\n");
  return found == 0;
}

static int with_user(char **a) {
  fprintf(stderr, "uid %d euid %d\n", getuid(), geteuid());
  return (int)geteuid() != atoi(a[0]);
}

static int with_tiocsti(char **a) {
  int terminal = open("/dev/tty", O_RDWR);
  if (terminal < 0) return refused("/dev/tty");
  for (char *at = a[0]; *at != 0; at++) {
    if (ioctl(terminal, TIOCSTI, at) < 0) return refused("TIOCSTI");
  }
  return 0;
}

/* `@name` is in the network's namespace, anything else a path. */
static int socket_at(const char *name, struct sockaddr_un *to, socklen_t *length) {
  memset(to, 0, sizeof *to);
  to->sun_family = AF_UNIX;
  strncpy(to->sun_path, name, sizeof to->sun_path - 1);
  *length = offsetof(struct sockaddr_un, sun_path) + strlen(name) + (name[0] == '@' ? 0 : 1);
  if (name[0] == '@') to->sun_path[0] = 0;
  return socket(AF_UNIX, SOCK_STREAM, 0);
}

/* The far side, outside of the view: gives everybody who comes a descriptor of a directory. */
static int with_serve(char **a) {
  struct sockaddr_un at;
  socklen_t length;
  int listener = socket_at(a[0], &at, &length), dir = open(a[1], O_PATH | O_DIRECTORY);
  if (dir < 0 || bind(listener, (void *)&at, length) < 0 || listen(listener, 16) < 0) return refused("bind");
  puts("listening");
  fflush(stdout);
  for (;;) {
    int client = accept(listener, NULL, NULL);
    char space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec text = {"hello\n", 6};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &dir, sizeof dir);
    sendmsg(client, &message, MSG_NOSIGNAL);
    close(client);
  }
}

/* The near side: takes a descriptor from a socket and reads a file below it. */
static int with_passed_descriptor(char **a) {
  struct sockaddr_un to;
  socklen_t length;
  int fd = socket_at(a[0], &to, &length), dir;
  if (connect(fd, (void *)&to, length) < 0) return refused("connect");
  char bytes[64], space[CMSG_SPACE(sizeof(int))];
  struct iovec text = {bytes, sizeof bytes};
  struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  if (recvmsg(fd, &message, 0) < 0) return refused("recvmsg");
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (head == NULL) return errno = ENODATA, refused("no descriptor came");
  memcpy(&dir, CMSG_DATA(head), sizeof dir);
  int file = openat(dir, a[1], O_RDONLY);
  return file < 0 ? refused("openat") : show(file);
}

/* A copy of one mount alone, as a descriptor: what other mounts cover would show below it. */
static int with_open_tree(char **a) {
  int tree = syscall(SYS_open_tree, AT_FDCWD, a[0], 1 /* OPEN_TREE_CLONE */);
  if (tree < 0) return refused("open_tree");
  int fd = openat(tree, a[1], O_RDONLY);
  return fd < 0 ? refused("openat") : show(fd);
}

/* Makes processes until there are as many as asked for or the system refuses; they all wait, and end with this one. */
static int with_crowd(char **a) {
  int made = 0;
  setpgid(0, 0);
  for (; made < atoi(a[0]); made++) {
    pid_t pid = fork();
    if (pid < 0) break;
    if (pid == 0) {
      pause();
      _exit(0);
    }
  }
  printf("%d\n", made);
  fflush(stdout);
  sleep(atoi(a[1]));
  signal(SIGTERM, SIG_IGN);
  kill(0, SIGTERM);
  while (wait(NULL) > 0) continue;
  return 0;
}

#define PROCESS_ATTEMPTS                                                                                                 \
  {"ptrace", with_ptrace}, {"memory-of", with_memory_of}, {"descriptor-of", with_descriptor_of},                         \
      {"signal", with_signal}, {"namespace", with_namespace}, {"descriptors", with_descriptors}, {"user", with_user},    \
      {"tiocsti", with_tiocsti}, {"serve", with_serve}, {"passed-descriptor", with_passed_descriptor},                   \
      {"open-tree", with_open_tree}, {"crowd", with_crowd}
