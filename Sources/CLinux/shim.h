/* Linux calls that Swift's Glibc module leaves out, as it is made without _GNU_SOURCE. */
#pragma once
#include <linux/fs.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/xattr.h>

/* renameat2(2); the flags RENAME_EXCHANGE and RENAME_NOREPLACE are in linux/fs.h. */
int renameat2(int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned int flags);
/* syncfs(2) */
int syncfs(int fd);
