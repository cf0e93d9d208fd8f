// Puts attacker and victim on different processors. On a busy machine the scheduler may leave both on one processor, where
// neither runs in the middle of the other's operation: then no race is tested, and the twins never escape.
import koffi from 'koffi';

const MASK_BYTES = 128;
const CALLING_THREAD = 0;

const libc = koffi.load(null);
const getAffinity = libc.func('int sched_getaffinity(int, size_t, _Out_ uint8_t *)');
const setAffinity = libc.func('int sched_setaffinity(int, size_t, uint8_t *)');

/**
 * Moves this thread, and its later children, to its share of the allowed processors: the attacker has the last one, the victim
 * all others. Does nothing with only one processor.
 *
 * @param {'attacker' | 'victim'} side
 */
export function takeProcessors(side) {
  const mask = new Uint8Array(MASK_BYTES);
  if (getAffinity(CALLING_THREAD, MASK_BYTES, mask) < 0) return;
  const allowed = [...Array(MASK_BYTES * 8).keys()].filter((cpu) => mask[cpu >> 3] & (1 << (cpu & 7)));
  if (allowed.length < 2) return;
  mask.fill(0);
  for (const cpu of side === 'attacker' ? allowed.slice(-1) : allowed.slice(0, -1)) mask[cpu >> 3] |= 1 << (cpu & 7);
  setAffinity(CALLING_THREAD, MASK_BYTES, mask);
}
