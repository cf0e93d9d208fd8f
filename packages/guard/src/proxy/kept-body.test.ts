import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { HeldBudget } from './held-budget.ts';
import { KeptBody } from './kept-body.ts';

const req = (complete: boolean) => ({ complete }) as IncomingMessage;
const bytes = (count: number) => Buffer.alloc(count, 97);

it('is the complete body, and nothing before its end', () => {
  const request = { complete: false };
  const body = new KeptBody(request as IncomingMessage, 10, new HeldBudget(100));
  body.add(bytes(4));
  body.add(bytes(6));
  expect(body.bytes()).toBeUndefined();
  request.complete = true;
  expect(body.bytes()).toEqual(bytes(10));
});

it('is dropped with its place in the budget by the first chunk above the limit', () => {
  const budget = new HeldBudget(100);
  const body = new KeptBody(req(true), 10, budget);
  body.add(bytes(10));
  expect([body.isKept, budget.used]).toEqual([true, 10]);
  body.add(bytes(1));
  expect([body.isKept, budget.used, body.bytes()]).toEqual([false, 0, undefined]);
  body.add(bytes(1));
  expect([body.isKept, budget.used]).toEqual([false, 0]);
});

it('leaves the second half of the budget to held calls', () => {
  const budget = new HeldBudget(20);
  const body = new KeptBody(req(true), 100, budget);
  body.add(bytes(10));
  expect(body.isKept).toBe(true);
  body.add(bytes(1));
  expect([body.isKept, budget.used]).toEqual([false, 0]);
});

it('takes another body in its place, counted once', () => {
  const budget = new HeldBudget(100);
  const body = new KeptBody(req(true), 10, budget);
  body.add(bytes(8));
  body.replace(Buffer.from('new'));
  expect([body.bytes()?.toString(), budget.used]).toEqual(['new', 3]);
  body.replace(bytes(11));
  expect([body.isKept, budget.used]).toEqual([false, 0]);
});
