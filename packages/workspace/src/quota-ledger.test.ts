import { expect, it } from 'vitest';
import { LEDGER_BYTES, openLedger } from './quota-ledger.ts';

it('begins no reservation where another thread began one since', () => {
  const memory = new SharedArrayBuffer(LEDGER_BYTES);
  const [mine, theirs] = [openLedger(new BigInt64Array(memory)), openLedger(new BigInt64Array(memory))];
  const { bytes: since } = mine.begun();
  expect(theirs.begin(7, 1, since)).toBe(true);
  expect(mine.begin(5, 1, since)).toBe(false);
  expect(mine.begin(5, 1, 7n)).toBe(true);
  theirs.end(7, 1);
  expect([mine.begun(), mine.ended()]).toEqual([
    { bytes: 12n, files: 2n },
    { bytes: 7n, files: 1n },
  ]);
});

it('has memory of its own if it is given none', () => {
  expect(LEDGER_BYTES).toBe(32);
  const [one, other] = [openLedger(), openLedger()];
  expect(one.begin(3, 1, 0n)).toBe(true);
  one.end(2, 1);
  expect([one.begun(), one.ended(), other.begun(), other.ended()]).toEqual([
    { bytes: 3n, files: 1n },
    { bytes: 2n, files: 1n },
    { bytes: 0n, files: 0n },
    { bytes: 0n, files: 0n },
  ]);
});
