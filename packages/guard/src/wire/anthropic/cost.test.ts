import { expect, it } from 'vitest';
import { Cost } from './cost.ts';
import type { MessageEvent } from './event.ts';

const event = (kind: string, usage: unknown) => ({ kind, usage }) as unknown as MessageEvent;

it('takes the last usage of a message, from its start and its end', () => {
  const cost = new Cost();
  cost.note(event('message-start', { input_tokens: 10, output_tokens: 1 }));
  cost.note(event('block-start', { input_tokens: 99 }));
  cost.note(event('message-delta', { output_tokens: 5, input_tokens: null }));
  cost.note(event('message-delta', 'none'));
  expect([cost.total(), cost.isContinued, cost.atEnd({ output_tokens: 5 })]).toEqual([
    { input_tokens: 10, output_tokens: 5 },
    false,
    undefined,
  ]);
  expect(new Cost().total()).toBeUndefined();
});

it('adds the usage of earlier replies, and says it at the end', () => {
  const cost = new Cost({ input_tokens: 100, output_tokens: 7 });
  cost.note(event('message-start', { input_tokens: 10, output_tokens: 1 }));
  cost.note(event('message-delta', { output_tokens: 5 }));
  expect([cost.isContinued, cost.total()]).toEqual([true, { input_tokens: 110, output_tokens: 12 }]);
  expect(cost.atEnd({ output_tokens: 5, server: 'x' })).toEqual({ input_tokens: 110, output_tokens: 12, server: 'x' });
  expect(cost.atEnd('none')).toBeUndefined();
  expect(cost.anew().total()).toEqual({ input_tokens: 100, output_tokens: 7 });
});
