// The attacker: a separate process that changes the tree as fast as possible. Started by attacker.mjs.
import koffi from 'koffi';
import { takeProcessors } from './own-processor.mjs';
import { FLIPS, IDLE, mapShared, nap, ORDER, PAUSE, RUN, STATE } from './shared-memory.mjs';

const SYS_RENAMEAT2 = { x64: 316, arm64: 276 }[process.arch];
const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;
/** How long one pace of flipping lasts, and the longest time between two checks of the message queue. */
const CHUNK_MS = 20;

const libc = koffi.load(null);
const renameat2 = libc.func('syscall', 'long', ['long', 'long', 'str', 'long', 'str', 'long']);
const symlink = libc.func('symlink', 'int', ['str', 'str']);
const unlink = libc.func('unlink', 'int', ['str']);
const rmdir = libc.func('rmdir', 'int', ['str']);
const shared = mapShared(process.argv[2]);
takeProcessors('attacker');

/** The two half-flips of a job. Ignores failures: the victim may have moved a name, and the harness restores it. */
const flippers = {
  exchange: ({ a, b }) => {
    const flip = () => renameat2(SYS_RENAMEAT2, AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
    return [flip, flip];
  },
  // A name that is free, then a link to the outside, then free again, whatever the victim created there.
  appear: ({ name, target }) => [
    () => symlink(target, name),
    () => {
      if (unlink(name) !== 0) rmdir(name);
    },
  ],
};

function wait(us) {
  if (us === 0) return;
  // Sleep during a long wait, so that other processes can use the processor.
  if (us > 100) return nap(us / 1000);
  const until = performance.now() + us / 1000;
  while (performance.now() < until);
}

function runChunk(halves, us) {
  const until = performance.now() + CHUNK_MS;
  let flips = 0;
  while (Atomics.load(shared, ORDER) === RUN && (flips & 63 || performance.now() < until)) {
    halves[flips & 1]();
    flips++;
    wait(us);
    if (us > 100 && performance.now() >= until) break;
  }
  // Each chunk ends in its initial state, or the next one would start with the wrong half.
  if (flips & 1) halves[1]();
  Atomics.add(shared, FLIPS, flips);
}

process.on('message', (job) => {
  const halves = flippers[job.kind](job);
  let round = 0;
  const step = () => {
    const order = Atomics.load(shared, ORDER);
    Atomics.store(shared, STATE, order);
    if (order === IDLE) return;
    if (order === PAUSE) nap();
    else runChunk(halves, job.spinsUs[round++ % job.spinsUs.length]);
    setImmediate(step);
  };
  step();
});
// The harness has ended: exit.
process.on('disconnect', () => process.exit(0));
process.send('ready');
