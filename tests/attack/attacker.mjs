// Starts, paces and always ends the attacking process.
import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeProcessors } from './own-processor.mjs';
import { FLIPS, IDLE, mapShared, nap, ORDER, PAUSE, RUN, STATE } from './shared-memory.mjs';

/** Longest wait for the attacker to pause; far above any scheduling delay seen. */
const HANDSHAKE_MS = 20_000;
/** Alternating paces: as fast as possible, and with pauses between flips, which hit other race windows. */
const SPINS_US = [0, 20, 500];

/** Starts the attacker. Call `close()`; the attacker also ends with this process. */
export async function startAttacker() {
  const file = join(tmpdir(), `croft-attack-${process.pid}-${Date.now()}.shm`);
  const shared = mapShared(file);
  const child = fork(new URL('./attacker-process.mjs', import.meta.url), [file]);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the attacker ended at once (${code})`)));
  });
  rmSync(file);
  // Only now, because a child process inherits its processors.
  takeProcessors('victim');
  const order = (wanted) => {
    Atomics.store(shared, ORDER, wanted);
    const giveUpAt = performance.now() + HANDSHAKE_MS;
    while (Atomics.load(shared, STATE) !== wanted) {
      if (child.exitCode !== null || performance.now() > giveUpAt) throw new Error('the attacker does not answer');
      nap();
    }
  };
  return {
    flips: () => Atomics.load(shared, FLIPS) >>> 0,
    /** Starts a job, paused until `resume()`. */
    async begin(job) {
      Atomics.store(shared, FLIPS, 0);
      Atomics.store(shared, ORDER, PAUSE);
      await new Promise((resolve, reject) =>
        child.send({ ...job, spinsUs: SPINS_US }, (error) => (error ? reject(error) : resolve())),
      );
      order(PAUSE);
    },
    pause: () => order(PAUSE),
    resume: () => order(RUN),
    end: () => order(IDLE),
    async close() {
      process.off('exit', kill);
      if (child.exitCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      kill();
      await gone;
    },
  };
}
