/* Linux calls that Swift's Glibc module leaves out, as it is made without _GNU_SOURCE. */
#pragma once
#include <linux/falloc.h>
#include <linux/fs.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/xattr.h>

/* renameat2(2); the flags RENAME_EXCHANGE and RENAME_NOREPLACE are in linux/fs.h. */
int renameat2(int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned int flags);
/* syscall(2) */
long syscall(long number, ...);
/* Whether a path is a mount point: statx(2), STATX_ATTR_MOUNT_ROOT; no before Linux 5.8. */
static inline int is_mount_point(const char *path) {
  unsigned long long status[32]; /* struct statx: the attributes are its second eight bytes */
  long result = syscall(SYS_statx, -100, path, 0x100, 0, status);
  return result == 0 && (status[1] & 0x2000) != 0;
}
/* fallocate(2); the flags are in linux/falloc.h. */
int fallocate(int fd, int mode, long offset, long length);
/* pidfd_open(2); sys/pidfd.h defines struct stat as well, which is Glibc's. */
int pidfd_open(pid_t pid, unsigned int flags);
/* syncfs(2) */
int syncfs(int fd);
/* pipe2(2) */
int pipe2(int ends[2], int flags);
/* posix_spawn_file_actions_addclosefrom_np(3), glibc 2.34 */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
/* posix_spawn_file_actions_addchdir_np(3), glibc 2.29 */
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
/* accept4(2) */
int accept4(int sockfd, struct sockaddr *addr, socklen_t *addrlen, int flags);
/* prctl(2), PR_SET_DUMPABLE: no core dump, and no other process of the user may look inside. */
static inline int prctl_set_dumpable(int value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }
/* memmem(3) */
void *memmem(const void *haystack, size_t length, const void *needle, size_t needle_length);
