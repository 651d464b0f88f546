// Preloaded by test/support/failing_disk.ts: makes calls that write files of one folder fail. It is controlled by a file that both
// processes map: see FailingDisk there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NONE, WRITE, SYNC, RENAME };

struct control {
  int32_t operation;
  int32_t error;
  int32_t first;  // The number of the first call that fails.
  int32_t last;   // The number of the last one.
  int32_t calls;  // Calls of the operation so far.
  int32_t failed; // Calls that failed.
  char name[100]; // The path of the last one, in the folder.
};

static volatile struct control *control;
static const char *folder;
static int names = -1; // Has the path of each call of the operation, a line each.

__attribute__((constructor)) static void open_control(void) {
  const char *path = getenv("FAILING_DISK_CONTROL");
  folder = getenv("FAILING_DISK_FOLDER");
  if (!path || !folder) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *map = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (map != MAP_FAILED) control = map;
  char log[4096];
  snprintf(log, sizeof log, "%s.names", path);
  names = open(log, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int is_in_folder(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

static int counts(int operation, const char *path) {
  if (!control || control->operation != operation) return 0;
  int32_t call = __sync_add_and_fetch(&control->calls, 1);
  const char *name = path + strlen(folder) + (path[strlen(folder)] == '/');
  if (call < control->first) dprintf(names, "%s\n", name);
  if (call < control->first || call > control->last) return 0;
  for (size_t n = 0; n < sizeof control->name; n++) control->name[n] = n < strlen(name) ? name[n] : 0;
  __sync_add_and_fetch(&control->failed, 1);
  errno = control->error;
  return 1;
}

static int fails(int operation, int descriptor) {
  if (!control || control->operation != operation) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_in_folder(path) && counts(operation, path);
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t length) {
  return fails(WRITE, fd) ? -1 : REAL(write, ssize_t(*)(int, const void *, size_t))(fd, data, length);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  return fails(WRITE, fd) ? -1 : REAL(writev, ssize_t(*)(int, const struct iovec *, int))(fd, parts, count);
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
  return fails(WRITE, fd) ? -1 : REAL(pwrite, ssize_t(*)(int, const void *, size_t, off_t))(fd, data, length, at);
}
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) {
  return fails(WRITE, fd) ? -1 : REAL(pwrite64, ssize_t(*)(int, const void *, size_t, off64_t))(fd, data, length, at);
}
int fsync(int fd) { return fails(SYNC, fd) ? -1 : REAL(fsync, int (*)(int))(fd); }
int fdatasync(int fd) { return fails(SYNC, fd) ? -1 : REAL(fdatasync, int (*)(int))(fd); }
int rename(const char *from, const char *to) {
  if (control && is_in_folder(to) && counts(RENAME, to)) return -1;
  return REAL(rename, int (*)(const char *, const char *))(from, to);
}

// libuv copies files with copy_file_range, which it calls by its number.
long syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int n = 0; n < 6; n++) a[n] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_copy_file_range && fails(WRITE, (int)a[2])) return -1;
  return REAL(syscall, long (*)(long, ...))(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
