import { builtinEnvironments, type Environment } from 'vitest/runtime';
import { WORKER_END, type WorkerEnd } from './at-worker-end.ts';

const { node } = builtinEnvironments;

/** Node, with resources that the test files of a worker share. It closes them when the worker ends. */
export default {
  ...node,
  name: 'closing',
  async setup(global: typeof globalThis & WorkerEnd, options) {
    const closers: (() => Promise<void>)[] = [];
    global[WORKER_END] = closers;
    const { teardown } = await node.setup(global, options);
    return {
      async teardown() {
        for (const close of closers.reverse()) await close();
        await teardown(global);
      },
    };
  },
} satisfies Environment;
