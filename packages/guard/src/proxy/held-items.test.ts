import { expect, it } from 'vitest';
import type { Frame, Framing } from '../framing/framing.ts';
import type { HeldBudget } from './held-budget.ts';
import { bytesOf, HeldItems, isFrame, isRun } from './held-items.ts';

const frame = (text: string): Frame => ({ raw: Buffer.from(text), data: text, event: undefined, unclear: false });
function budgetOf(room: number) {
  const state = { left: room };
  const budget = {
    take: (bytes: number) => {
      if (bytes > state.left) return false;
      state.left -= bytes;
      return true;
    },
    give: (bytes: number) => void (state.left += bytes),
  } as unknown as HeldBudget;
  return { budget, state };
}

it('holds frames and runs, and counts their bytes against the budget until they are let go', () => {
  const { budget, state } = budgetOf(1_000);
  const held = new HeldItems(budget);
  expect(held.isEmpty).toBe(true);
  expect([held.add(frame('ab')), held.add(Buffer.from('cde'))]).toEqual([true, true]);
  expect([held.isEmpty, held.bytes, state.left]).toEqual([false, 2 + 3 + 2 * 256, 1_000 - 517]);
  held.clear();
  expect([held.isEmpty, held.bytes, held.items, state.left]).toEqual([true, 0, [], 1_000]);
});

it('holds an item without counting it when the budget is full, and returns only counted bytes', () => {
  const { budget, state } = budgetOf(300);
  const held = new HeldItems(budget);
  expect([held.add(frame('a')), held.add(frame('b'))]).toEqual([true, false]);
  expect(held.items).toHaveLength(2);
  held.clear();
  expect(state.left).toBe(300);
});

it('gives the frames of runs too', () => {
  const held = new HeldItems(budgetOf(10_000).budget);
  held.add(frame('a'));
  held.add(Buffer.from('bc'));
  const framing = { split: (bytes: Buffer) => [...bytes.toString()].map(frame) } as unknown as Framing;
  expect(held.frames(framing).map(({ data }) => data)).toEqual(['a', 'b', 'c']);
  const [first, run] = held.items;
  expect([first && isFrame(first), run && isFrame(run), run && isRun(run)]).toEqual([true, false, true]);
  expect(held.items.map((item) => bytesOf(item).toString())).toEqual(['a', 'bc']);
});
