import { expect, it } from 'vitest';
import { hasChanges, isUnderWay, newTurn, type TurnStatus } from './turn-view.ts';

it('is under way until it ends', () => {
  const all: TurnStatus[] = ['sending', 'working', 'asking', 'complete', 'error', 'cancelled', 'interrupted'];
  expect(all.filter((status) => isUnderWay({ status }))).toEqual(['sending', 'working', 'asking']);
});

it('begins as a message on its way, without changes', () => {
  const { key, status, text, label, ...rest } = newTurn('k');
  expect([key, status, text, label]).toEqual(['k', 'sending', '', '']);
  for (const [name, value] of Object.entries(rest)) expect([[], false], name).toContainEqual(value);
  expect([hasChanges(newTurn('k')), hasChanges({ ...newTurn('k'), version: 3 })]).toEqual([false, true]);
});
