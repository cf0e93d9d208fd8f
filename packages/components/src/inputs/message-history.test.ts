import { describe, expect, it } from 'vitest';
import { memoryHistory, type StoredMessage } from './history.ts';
import { runNode } from '../testing.ts';

describe('Memory', () => {
  const store = (history: ReturnType<typeof memoryHistory>, message: string, more = {}) =>
    runNode({
      type: 'Memory',
      output: 'stored_messages',
      config: { mode: 'Store', message, ...more },
      services: { history },
    });
  const retrieve = (history: ReturnType<typeof memoryHistory>, more = {}) =>
    runNode({ type: 'Memory', output: 'messages_text', config: more, services: { history } });

  it('reads what it stored, in order, for each session', async () => {
    const history = memoryHistory();
    expect((await store(history, 'Hello')).status).toBe('completed');
    await store(history, 'Welcome', { sender: 'Machine' });
    await store(history, 'Other', { session_id: 's2' });
    expect((await retrieve(history)).value).toEqual({ text: 'User: Hello\nAI: Welcome' });
    expect((await retrieve(history, { n_messages: 1 })).value).toEqual({ text: 'AI: Welcome' });
    expect((await retrieve(history, { order: 'Descending', template: '{text}' })).value).toEqual({
      text: 'Welcome\nHello',
    });
    expect((await retrieve(history, { sender_type: 'User' })).value).toEqual({ text: 'User: Hello' });
    const unread = { ...history, list: () => Promise.reject(new Error('read')) };
    expect((await retrieve(unread, { n_messages: 0 })).value).toEqual({ text: '' });
  });

  it('refuses messages that are too long a text together, and reads none behind', async () => {
    let reads = 0;
    const long = 'a'.repeat(1_000_000);
    const row = Object.defineProperty({ sender: 'User' }, 'text', { get: () => (reads++, long) }) as StoredMessage;
    const history = { ...memoryHistory(), list: async () => Array<StoredMessage>(60).fill(row) };
    const { failure } = await retrieve(history, { n_messages: 60, template: '{text}' });
    expect(failure?.message).toContain('The text has more than 33554432 characters');
    expect(reads).toBeLessThan(80);
  });

  it('says so when a run keeps no messages', async () => {
    expect((await runNode({ type: 'Memory', output: 'messages_text' })).failure?.message).toContain(
      'keeps no messages',
    );
  });

  it('stores nothing once the run is cancelled', async () => {
    const history = memoryHistory();
    const config = { mode: 'Store', message: 'Late' };
    const node = { type: 'Memory', output: 'stored_messages', config, services: { history } };
    expect((await runNode(node, { signal: AbortSignal.abort() })).status).toBe('cancelled');
    await expect(
      history.add('default', { text: 'Late' } as StoredMessage, AbortSignal.abort(), 'step'),
    ).rejects.toThrow();
    expect(await history.list('default', 10, new AbortController().signal)).toEqual([]);
  });
});
