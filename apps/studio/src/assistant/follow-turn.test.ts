import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { followTurn } from './follow-turn.ts';

useFakeApi();
const sources = useFakeEvents();

function follow() {
  const seen: string[] = [];
  const leave = followTurn('t1', {
    onEvent: (id, event) => seen.push(`${id} ${event.event}`),
    onGone: () => seen.push('gone'),
  });
  const source = sources.at(-1);
  if (!source) throw new Error('Nothing is read.');
  return { seen, leave, source };
}
const token = { event: 'token', chunk: 'a' };
const end = { event: 'cancelled' };

it('reads the events of the turn with their ids, and closes after the last one', () => {
  const { seen, source } = follow();
  expect(source.url).toBe('http://croft.test/base/api/v1/agentic/turns/t1/events');
  source.send(token, 'log.1');
  expect(source.readyState).toBe(1);
  source.send(end, 'log.2');
  expect([seen, source.readyState]).toEqual([['log.1 token', 'log.2 cancelled'], 2]);
});

it('reads the stored conversation at the end where events are missing', () => {
  const { seen, source } = follow();
  source.send({ event: 'reset' });
  source.send(token, 'log.9');
  expect(seen).toEqual(['log.9 token']);
  source.send(end, 'log.10');
  expect(seen.at(-1)).toBe('gone');
});

it('waits for the browser after a lost connection, and gives up after a refusal', () => {
  const { seen, source } = follow();
  source.fail(0);
  expect(seen).toEqual([]);
  source.fail(2);
  expect(seen).toEqual(['gone']);
});

it('stops reading when it is left', () => {
  const { leave, source } = follow();
  leave();
  expect(source.readyState).toBe(2);
});
