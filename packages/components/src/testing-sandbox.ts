import { withReplaced } from '@croft/workspace/testing';
import { SandboxThread } from './user/sandbox-thread.ts';

/**
 * Runs `act` while each job of the sandbox has a quarter of its time limit, for tests of jobs that use all of it. The tests of the
 * limits themselves do not use this.
 */
export async function withShortJobs<Result>(act: () => Promise<Result>): Promise<Result> {
  const ask = Reflect.get(SandboxThread.prototype, 'ask');
  const shortened: typeof ask = function (this: SandboxThread, job, limitMs, signal) {
    return ask.call(this, job, limitMs / 4, signal);
  };
  return withReplaced(SandboxThread.prototype, { ask: shortened }, act);
}
