/*
 * Preloaded into a real server (LD_PRELOAD), this writes down what reaches the disk: every create, write, truncate, unlink,
 * rename and sync of the files whose name begins with RECORDED_NAME inside RECORDED_FOLDER, and every folder made or synced
 * there. One record is one append to RECORDED_LOG, made while a lock is held, so that the order of the records is the order of
 * the effects. record.mjs appends its marks to the same file; recording.mjs reads it.
 *
 *   cc -shared -fPIC -O2 -o shim.so shim.c -ldl -lpthread
 *
 * What is written through a mapping is not seen. SQLite maps its shared index (-shm) alone, which it never trusts after a crash.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE = 2, TRUNCATE = 3, SYNC = 4, UNLINK = 5, RENAME = 6, MAKE_FOLDER = 7, SYNC_FOLDER = 8 };

struct header {
  uint8_t kind;
  uint8_t zero;
  uint16_t name_length;
  uint32_t data_length;
  uint64_t offset;
};

#define MOST_FILES 65536
static char *names[MOST_FILES]; /* relative to the folder; a folder itself ends with a slash */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
static const char *folder, *wanted;
static size_t folder_length;
static int log_file = -1;

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);
static int (*real_mkdir)(const char *, mode_t);

static void prepare(void) {
  real_open = dlsym(RTLD_NEXT, "open64");
  real_openat = dlsym(RTLD_NEXT, "openat64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_mkdir = dlsym(RTLD_NEXT, "mkdir");
  const char *path = getenv("RECORDED_LOG");
  folder = getenv("RECORDED_FOLDER");
  wanted = getenv("RECORDED_NAME");
  if (path == NULL || folder == NULL || wanted == NULL) return;
  folder_length = strlen(folder);
  log_file = real_open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static void ready(void) { pthread_once(&prepared, prepare); }

/* The part of the path inside the folder, or NULL. The folder itself is "". */
static const char *inside(const char *path) {
  if (log_file < 0 || path == NULL || strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == '\0') return path + folder_length;
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static const char *recorded(const char *path) {
  const char *name = inside(path);
  if (name == NULL) return NULL;
  const char *last = strrchr(name, '/');
  last = last == NULL ? name : last + 1;
  return strncmp(last, wanted, strlen(wanted)) == 0 ? name : NULL;
}

static const char *name_of(int file) { return file >= 0 && file < MOST_FILES ? names[file] : NULL; }

/* Node closes folders past us, so the number of one may belong to a socket by now. */
static const char *file_name_of(int file) {
  const char *name = name_of(file);
  return name == NULL || name[strlen(name) - 1] == '/' ? NULL : name;
}

static int is_folder(int file) {
  struct stat found;
  return fstat(file, &found) == 0 && S_ISDIR(found.st_mode);
}

static void note(int kind, const char *name, uint64_t offset, const void *data, size_t length) {
  struct header header = {(uint8_t)kind, 0, (uint16_t)strlen(name), (uint32_t)length, offset};
  struct iovec parts[3] = {{&header, sizeof header}, {(void *)name, header.name_length}, {(void *)data, length}};
  ssize_t written = writev(log_file, parts, 3);
  /* A recording with a hole would prove nothing. */
  if (written != (ssize_t)(sizeof header + header.name_length + length)) abort();
}

static int remember(int file, const char *path, int flags, int existed) {
  if (file < 0 || file >= MOST_FILES) return file;
  const char *name = recorded(path);
  if (name != NULL) {
    names[file] = strdup(name);
    if (!existed) note(CREATE, name, 0, NULL, 0);
    if (existed && (flags & O_TRUNC)) note(TRUNCATE, name, 0, NULL, 0);
  } else if (inside(path) != NULL && is_folder(file)) {
    char with_slash[PATH_MAX];
    size_t length = strlen(inside(path));
    if (length + 2 > sizeof with_slash) return file;
    memcpy(with_slash, inside(path), length);
    memcpy(with_slash + length, "/", 2);
    names[file] = strdup(with_slash);
  }
  return file;
}

static int open_file(const char *path, int flags, mode_t mode) {
  ready();
  if (inside(path) == NULL) return real_open(path, flags, mode);
  pthread_mutex_lock(&lock);
  int existed = access(path, F_OK) == 0;
  int file = real_open(path, flags, mode);
  int error = errno;
  remember(file, path, flags, existed);
  pthread_mutex_unlock(&lock);
  errno = error;
  return file;
}

#define MODE_ARGUMENT(flags, mode)                  \
  mode_t mode = 0;                                  \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {          \
    va_list rest;                                   \
    va_start(rest, flags);                          \
    mode = va_arg(rest, mode_t);                    \
    va_end(rest);                                   \
  }

int open(const char *path, int flags, ...) {
  MODE_ARGUMENT(flags, mode)
  return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_ARGUMENT(flags, mode)
  return open_file(path, flags, mode);
}

int openat(int at, const char *path, int flags, ...) {
  MODE_ARGUMENT(flags, mode)
  if (path[0] == '/') return open_file(path, flags, mode);
  ready();
  return real_openat(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
  MODE_ARGUMENT(flags, mode)
  if (path[0] == '/') return open_file(path, flags, mode);
  ready();
  return real_openat(at, path, flags, mode);
}

int close(int file) {
  ready();
  if (name_of(file) != NULL) {
    pthread_mutex_lock(&lock);
    free(names[file]);
    names[file] = NULL;
    pthread_mutex_unlock(&lock);
  }
  return real_close(file);
}

static ssize_t write_at(int file, const void *data, size_t length, off_t offset) {
  pthread_mutex_lock(&lock);
  ssize_t written = real_pwrite(file, data, length, offset);
  int error = errno;
  if (written > 0) note(WRITE, names[file], (uint64_t)offset, data, (size_t)written);
  pthread_mutex_unlock(&lock);
  errno = error;
  return written;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
  ready();
  return file_name_of(file) == NULL ? real_pwrite(file, data, length, offset) : write_at(file, data, length, offset);
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
  ready();
  return file_name_of(file) == NULL ? real_pwrite(file, data, length, offset) : write_at(file, data, length, offset);
}

ssize_t write(int file, const void *data, size_t length) {
  ready();
  if (file_name_of(file) == NULL) return real_write(file, data, length);
  pthread_mutex_lock(&lock);
  off_t offset = lseek(file, 0, SEEK_CUR);
  ssize_t written = real_write(file, data, length);
  int error = errno;
  if (written > 0) note(WRITE, names[file], (uint64_t)offset, data, (size_t)written);
  pthread_mutex_unlock(&lock);
  errno = error;
  return written;
}

static int truncate_file(int file, off_t size) {
  ready();
  if (file_name_of(file) == NULL) return real_ftruncate(file, size);
  pthread_mutex_lock(&lock);
  int result = real_ftruncate(file, size);
  int error = errno;
  if (result == 0) note(TRUNCATE, names[file], (uint64_t)size, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int ftruncate(int file, off_t size) { return truncate_file(file, size); }
int ftruncate64(int file, off64_t size) { return truncate_file(file, size); }

static int sync_file(int file, int (*real)(int)) {
  if (file_name_of(file) == NULL && (name_of(file) == NULL || !is_folder(file))) return real(file);
  pthread_mutex_lock(&lock);
  int result = real(file);
  int error = errno;
  const char *name = names[file];
  size_t length = strlen(name);
  if (result == 0) note(length > 0 && name[length - 1] == '/' ? SYNC_FOLDER : SYNC, name, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int fsync(int file) {
  ready();
  return sync_file(file, real_fsync);
}

int fdatasync(int file) {
  ready();
  return sync_file(file, real_fdatasync);
}

int unlink(const char *path) {
  ready();
  const char *name = recorded(path);
  if (name == NULL) return real_unlink(path);
  pthread_mutex_lock(&lock);
  int result = real_unlink(path);
  int error = errno;
  if (result == 0) note(UNLINK, name, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int rename(const char *from, const char *to) {
  ready();
  const char *old = recorded(from), *name = recorded(to);
  if (old == NULL || name == NULL) return real_rename(from, to);
  pthread_mutex_lock(&lock);
  int result = real_rename(from, to);
  int error = errno;
  if (result == 0) note(RENAME, old, 0, name, strlen(name));
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int mkdir(const char *path, mode_t mode) {
  ready();
  const char *name = inside(path);
  if (name == NULL || name[0] == '\0') return real_mkdir(path, mode);
  pthread_mutex_lock(&lock);
  int result = real_mkdir(path, mode);
  int error = errno;
  if (result == 0) note(MAKE_FOLDER, name, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
