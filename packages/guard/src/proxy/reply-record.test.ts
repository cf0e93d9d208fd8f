import { expect, it } from 'vitest';
import type { Framing } from '../framing/framing.ts';
import type { HeldBudget } from './held-budget.ts';
import { ReplyRecord } from './reply-record.ts';

function setUp(limit: number, room = 100) {
  const state = { left: room };
  const budget = {
    takeSpare: (bytes: number) => bytes <= state.left && ((state.left -= bytes), true),
    give: (bytes: number) => void (state.left += bytes),
  } as unknown as HeldBudget;
  const framing = { split: (bytes: Buffer) => [bytes.toString()] } as unknown as Framing;
  const record = new ReplyRecord(budget, limit);
  return { record, state, text: () => record.frames(framing).map(String).join('') };
}

it('keeps what was sent, up to its limit', () => {
  const { record, state, text } = setUp(5);
  record.add(Buffer.from('abc'));
  record.add(Buffer.from('de'));
  expect([record.isComplete, text(), state.left]).toEqual([true, 'abcde', 95]);
  record.add(Buffer.from('f'));
  expect([record.isComplete, text(), state.left]).toEqual([false, '', 100]);
  record.add(Buffer.from('g'));
  expect(state.left).toBe(100);
});

it('keeps nothing when the budget is full or the limit is zero', () => {
  const { record, state } = setUp(50, 2);
  record.add(Buffer.from('abc'));
  expect([record.isComplete, state.left]).toEqual([false, 2]);
  expect(setUp(0).record.isComplete).toBe(false);
});

it('begins again with the next reply', () => {
  const { record, state, text } = setUp(5);
  record.add(Buffer.from('abc'));
  record.restart();
  record.add(Buffer.from('12345'));
  expect([record.isComplete, text(), state.left]).toEqual([true, '12345', 95]);
});
