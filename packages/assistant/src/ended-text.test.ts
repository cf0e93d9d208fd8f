import { expect, it } from 'vitest';
import { endedText } from './ended-text.ts';

it.each([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['cancelled', 'was cancelled'],
  ['timed_out', 'timed out'],
  ['waiting', 'is waiting'],
])('says of a run with the state %s that it %s', (status, text) => {
  expect(endedText(status)).toBe(text);
});
