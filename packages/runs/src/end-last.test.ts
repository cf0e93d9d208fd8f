import type { LoggedEvent } from '@croft/event-log';
import { expect, it } from 'vitest';
import { endLast } from './end-last.ts';

const event = (id: string, kind: string): LoggedEvent => ({ id, data: `{"kind":"${kind}"}` });
const START = event('1', 'run_started');
const NODE = event('2', 'node_finished');
const END = event('3', 'run_finished');

type Reason = 'over' | 'left' | 'gone';

/** The batches of a reader, and how it ended. */
async function read(batches: readonly (readonly LoggedEvent[])[], reason: Reason) {
  async function* source(): AsyncGenerator<readonly LoggedEvent[], Reason, void> {
    yield* batches;
    return reason;
  }
  const events = endLast(source());
  const given: (readonly LoggedEvent[])[] = [];
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return { given, reason: value };
    given.push(value);
  }
}

it('gives the end of a run by itself, when no more events can come', async () => {
  expect(await read([[START, NODE, END]], 'over')).toEqual({ given: [[START, NODE], [END]], reason: 'over' });
  expect(await read([[START], [END]], 'gone')).toEqual({ given: [[START], [END]], reason: 'gone' });
});

it('gives no end to a reader that left before', async () => {
  expect(await read([[START, END]], 'left')).toEqual({ given: [[START]], reason: 'left' });
});

it('gives an end that was not the last event in its place', async () => {
  const again = event('4', 'node_finished');
  expect(await read([[START, END], [again]], 'over')).toEqual({ given: [[START], [END, again]], reason: 'over' });
});

it('holds no other event back', async () => {
  expect(await read([[START], [NODE]], 'over')).toEqual({ given: [[START], [NODE]], reason: 'over' });
  expect(await read([], 'over')).toEqual({ given: [], reason: 'over' });
});
