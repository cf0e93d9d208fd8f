export const WORKER_END = Symbol.for('croft.worker-end');
/** The environment of tests and the tests load this module once each, so they share the list by a global symbol. */
export interface WorkerEnd {
  [WORKER_END]?: (() => Promise<void>)[];
}

/** For resources that the test files of a worker share: runs `close` after the last file of the worker. */
export function atWorkerEnd(close: () => Promise<void>): void {
  const closers = (globalThis as WorkerEnd)[WORKER_END];
  if (!closers) throw new Error('The project of this test in vitest.config.ts lacks closing-environment.ts.');
  closers.push(close);
}
