import { expect, it } from 'vitest';
import type { MessageEvent } from './event.ts';
import { Sent } from './sent.ts';

const event = (kind: string, more: object) => ({ kind, ...more }) as unknown as MessageEvent;

it('knows the next index and the blocks that are open, shifted as they were sent', () => {
  const sent = new Sent();
  sent.note(event('message-start', { blocks: [{}, {}] }), 0);
  expect([sent.started, sent.blocks]).toEqual([true, 2]);
  sent.note(event('block-start', { index: 1 }), 2);
  sent.note(event('block-start', { index: 0 }), 2);
  expect([sent.blocks, [...sent.open]]).toEqual([4, [3, 2]]);
  sent.note(event('block-stop', { index: 1 }), 2);
  expect([...sent.open]).toEqual([2]);
});

it('closes open blocks at a second start, and has copies of its own', () => {
  const sent = new Sent();
  sent.note(event('message-start', { blocks: [] }), 0);
  sent.note(event('block-start', { index: 0 }), 0);
  const copy = sent.copy();
  sent.note(event('message-start', { blocks: [{}] }), 1);
  expect([[...sent.open], sent.blocks, [...copy.open], copy.blocks, copy.started]).toEqual([[], 2, [0], 1, true]);
});
