/** epoll(7) for one purpose: to make a descriptor's priority events readable to a plain poll. */

import { close } from '../libc.ts';
import { bind } from './ffi.ts';
import { O_CLOEXEC } from './libc-constants.ts';

const c = {
  epoll_create1: bind('int epoll_create1(int)'),
  epoll_ctl: bind('int epoll_ctl(int, int, int, void*)'),
  epoll_wait: bind('int epoll_wait(int, void*, int, int)'),
};

const EPOLL_CTL_ADD = 1;
const EPOLLPRI = 2;

// struct epoll_event: 12 bytes on x86-64, 16 elsewhere; the events come first in both.
const event = Buffer.alloc(16);

/** A descriptor that is readable when `fd` has a priority event, or a negative errno. */
export function epollPriority(fd: number): number {
  const epoll = c.epoll_create1(O_CLOEXEC);
  if (epoll < 0) return epoll;
  event.fill(0).writeUInt32LE(EPOLLPRI, 0);
  const added = c.epoll_ctl(epoll, EPOLL_CTL_ADD, fd, event);
  if (added >= 0) return epoll;
  close(epoll);
  return added;
}

/** Takes the event that made the descriptor readable. */
export function epollTake(epoll: number): void {
  c.epoll_wait(epoll, event, 1, 0);
}
