import { SandboxThread } from './sandbox-thread.ts';

const MAX_THREADS = 4;
/** Of one user: the others are free for the code of other users, however long that of this user runs. */
const MAX_OF_USER = 2;
const MAX_IDLE = 2;
const IDLE_MS = 15_000;

interface Waiter {
  readonly user: string | undefined;
  take(thread: Promise<SandboxThread>): void;
}

const idle: { readonly thread: SandboxThread; readonly timer: NodeJS.Timeout }[] = [];
const waiting: Waiter[] = [];
/** Threads that are taken, by user. */
const taken = new Map<string | undefined, number>();

const takenBy = (user: string | undefined): number => taken.get(user) ?? 0;
const isFull = (): boolean => [...taken.values()].reduce((sum, each) => sum + each, 0) >= MAX_THREADS;
const isAtMost = (user: string | undefined): boolean => user !== undefined && takenBy(user) >= MAX_OF_USER;

/** Whether a caller waits who could have a thread that this user gives back between two jobs. */
export const isThreadWanted = (user: string | undefined): boolean =>
  waiting.some((each) => each.user === user || (!isAtMost(each.user) && isFull()));

/**
 * Takes a thread; waits while all are taken, or while this user has two. Without a user, as on the command line, only the
 * first rule counts. Give the thread back with {@link giveThread}.
 *
 * @throws what `signal` was aborted with
 */
export function takeThread(user: string | undefined, signal?: AbortSignal): Promise<SandboxThread> {
  signal?.throwIfAborted();
  if (!isFull() && !isAtMost(user)) return nextThread(user);
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(waiter), 1);
      reject(signal?.reason as Error);
    };
    const waiter: Waiter = {
      user,
      take(thread) {
        signal?.removeEventListener('abort', leave);
        resolve(thread);
      },
    };
    signal?.addEventListener('abort', leave, { once: true });
    waiting.push(waiter);
  });
}

/** Gives a thread back. One that was ended makes room for a new one. */
export function giveThread(thread: SandboxThread, user: string | undefined): void {
  if (!thread.isGone) keep(thread);
  release(user);
}

function release(user: string | undefined): void {
  if (takenBy(user) > 1) taken.set(user, takenBy(user) - 1);
  else taken.delete(user);
  const next = nextWaiter();
  if (next === undefined) return;
  waiting.splice(waiting.indexOf(next), 1);
  next.take(nextThread(next.user));
}

/** Of those who may have a thread, the first one of the user who has fewest. */
function nextWaiter(): Waiter | undefined {
  const able = waiting.filter((each) => !isAtMost(each.user));
  const fewest = Math.min(...able.map(({ user }) => takenBy(user)));
  return able.find(({ user }) => takenBy(user) === fewest);
}

function nextThread(user: string | undefined): Promise<SandboxThread> {
  taken.set(user, takenBy(user) + 1);
  for (let at = idle.pop(); at !== undefined; at = idle.pop()) {
    clearTimeout(at.timer);
    if (!at.thread.isGone) return Promise.resolve(at.thread);
  }
  return SandboxThread.start().catch((error: unknown) => {
    release(user);
    throw error;
  });
}

function keep(thread: SandboxThread): void {
  if (idle.length >= MAX_IDLE) {
    void thread.end();
    return;
  }
  const timer = setTimeout(() => {
    idle.splice(
      idle.findIndex((each) => each.thread === thread),
      1,
    );
    void thread.end();
  }, IDLE_MS);
  timer.unref();
  idle.push({ thread, timer });
}

/** Ends the idle threads. For tests and shutdown. */
export async function closeSandbox(): Promise<void> {
  await Promise.all(
    idle.splice(0).map(({ thread, timer }) => {
      clearTimeout(timer);
      return thread.end();
    }),
  );
}
