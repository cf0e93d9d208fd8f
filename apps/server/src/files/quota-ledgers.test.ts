import { LEDGER_BYTES } from '@croft/workspace';
import { expect, it } from 'vitest';
import { createQuotaLedgers, ledgerOf } from './quota-ledgers.ts';

it('gives a directory the same part in each thread, and another directory another one', () => {
  const ledgers = createQuotaLedgers();
  const ledger = ledgerOf(ledgers, '/users/ann');
  ledger[0] = 5n;
  expect(ledgerOf(ledgers, '/users/ann')[0]).toBe(5n);
  expect(ledgerOf(ledgers, '/users/bob')[0]).toBe(0n);
  expect(ledger.byteLength).toBe(LEDGER_BYTES);
});

it('spreads directories over the memory, and stays inside', () => {
  const ledgers = createQuotaLedgers();
  const parts = Array.from({ length: 200 }, (_, index) => ledgerOf(ledgers, `/users/${index}`).byteOffset);
  expect(new Set(parts).size).toBeGreaterThan(180);
  expect(Math.max(...parts)).toBeGreaterThan(ledgers.byteLength / 2);
  expect(parts.every((offset) => offset % LEDGER_BYTES === 0 && offset + LEDGER_BYTES <= ledgers.byteLength)).toBe(
    true,
  );
});
