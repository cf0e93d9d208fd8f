// Four numbers that harness and attacker share without a system call, so that the attacker's loop stays tight and can still be
// stopped exactly between two flips.
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import koffi from 'koffi';

const BYTES = 4096;
const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;

export const ORDER = 0; // the command of the harness
export const STATE = 1; // the state of the attacker
export const FLIPS = 2; // flips made, wrapping at 2^32

export const IDLE = 0;
export const RUN = 1;
export const PAUSE = 2;

const napCell = new Int32Array(new SharedArrayBuffer(4));

/** Yields the processor: with two cores, a busy wait could stop the process that it waits for. */
export function nap(ms = 0.05) {
  Atomics.wait(napCell, 0, 0, ms);
}

/** Maps the file as shared integers, and extends it first if needed. */
export function mapShared(file) {
  const mmap = koffi.load(null).func('mmap', 'void *', ['void *', 'size_t', 'int', 'int', 'int', 'long']);
  const fd = openSync(file, 'a+');
  try {
    ftruncateSync(fd, BYTES);
    return new Int32Array(koffi.view(mmap(null, BYTES, PROT_READ_WRITE, MAP_SHARED, fd, 0), BYTES));
  } finally {
    closeSync(fd);
  }
}
