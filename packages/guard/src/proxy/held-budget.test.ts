import { expect, it } from 'vitest';
import { HeldBudget } from './held-budget.ts';

it('gives bytes up to its limit, and takes none where they do not fit', () => {
  const budget = new HeldBudget(100);
  expect([budget.take(60), budget.take(41), budget.used]).toEqual([true, false, 60]);
  expect([budget.take(40), budget.take(1), budget.used]).toEqual([true, false, 100]);
  budget.give(100);
  expect([budget.used, budget.take(100)]).toEqual([0, true]);
});

it('gives optional data the first half only, so that held calls have room', () => {
  const budget = new HeldBudget(100);
  expect([budget.takeSpare(50), budget.takeSpare(1), budget.take(50)]).toEqual([true, false, true]);
  expect(budget.used).toBe(100);
});

it('refuses new work when seven eighths are taken', () => {
  const budget = new HeldBudget(80);
  budget.take(69);
  expect(budget.full).toBe(false);
  budget.take(1);
  expect(budget.full).toBe(true);
});
