import { expect, it } from 'vitest';
import { earlierMessages, memoryHistory } from './history.ts';

it('gives a model the latest messages that fit, and none without a session', async () => {
  const history = memoryHistory();
  const { signal } = new AbortController();
  const texts = ['x'.repeat(150_000), 'y'.repeat(100_000), 'z'.repeat(90_000)];
  for (const [at, text] of texts.entries()) {
    const sender = at === 1 ? 'Machine' : 'User';
    await history.add('s', { text, sender, sender_name: '', session_id: 's', timestamp: '' }, signal, `${at}`);
  }
  const read = async (session: string, limit: number) =>
    (await earlierMessages(history, session, limit, signal)).map(({ role, text }) => `${role} ${text[0]}`);
  expect(await read('s', 100)).toEqual(['assistant y', 'user z']);
  expect(await read('s', 1)).toEqual(['user z']);
  expect([await read('s', 0), await read('', 100), await read('t', 100)]).toEqual([[], [], []]);
});
