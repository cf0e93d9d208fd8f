import { expect, it } from 'vitest';
import type { Frame } from '../../framing/framing.ts';
import { afterLast, firstNumber, SequenceNumbers } from './sequence-numbers.ts';

const frame = (value?: unknown): Frame => ({
  raw: Buffer.alloc(0),
  data: value === undefined ? undefined : JSON.stringify(value),
  event: undefined,
  unclear: false,
});

it('continues from what was sent, and takes the numbers of held events', () => {
  const numbers = new SequenceNumbers();
  expect(numbers.next()).toBeUndefined();
  numbers.see({ sequence_number: 4 });
  numbers.see({ other: 1 });
  expect(numbers.next()).toBe(5);
  numbers.hold({});
  numbers.hold({ sequence_number: 5 });
  numbers.hold({ sequence_number: 6 });
  numbers.see({ sequence_number: 6 });
  expect(numbers.next()).toBe(5);
  numbers.released();
  expect(numbers.next()).toBe(7);
});

it('finds the first number of frames, and the one after the last', () => {
  const frames = [frame(), frame({ a: 1 }), frame({ sequence_number: 3 }), frame({ sequence_number: 8 }), frame([])];
  expect([
    firstNumber(frames),
    afterLast(frames),
    firstNumber([frame({ sequence_number: '3' })]),
    afterLast([]),
  ]).toEqual([3, 9, undefined, undefined]);
});
