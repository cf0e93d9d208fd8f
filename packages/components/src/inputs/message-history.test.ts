import { describe, expect, it } from 'vitest';
import { memoryHistory, type StoredMessage } from './history.ts';
import { runAlone, runNode, textsOf, declaredBy } from '../testing.ts';
import { messageHistory } from './message-history.ts';

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

  it('gives the instructions of a client before its messages', async () => {
    const instructions = [{ text: 'Be brief.', sender: 'User', sender_name: 'System', session_id: '', timestamp: '' }];
    const history = { ...memoryHistory(), instructions };
    await store(history, 'Hello');
    expect((await retrieve(history)).value).toEqual({ text: 'System: Be brief.\nUser: Hello' });
    expect((await retrieve(history, { n_messages: 0 })).value).toEqual({ text: '' });
  });

  it('gives a stored message its session, its sender and its time', async () => {
    const history = memoryHistory();
    const services = { history, now: () => new Date('2026-01-02T03:04:05Z') };
    const stored = async (more: object) => {
      const config = { mode: 'Store', message: 'Hi', ...more };
      return (await runNode({ type: 'Memory', output: 'stored_messages', config, services })).value;
    };
    const hi = { text: 'Hi', session_id: 'default', timestamp: '2026-01-02T03:04:05.000Z' };
    expect(await stored({})).toEqual({ ...hi, sender: 'User', sender_name: 'User' });
    expect(await stored({ session_id: ' ' })).toEqual({ ...hi, sender: 'User', sender_name: 'User' });
    expect(await stored({ session_id: ' s ', sender: 'Machine', sender_name: 'Ada' })).toEqual({
      ...hi,
      session_id: 's',
      sender: 'Machine',
      sender_name: 'Ada',
    });
    const message = { text: 'Hi', sender: 'Machine', sender_name: 'Bo' };
    const call = { mode: 'Store', message, sender: 'User', sender_name: 'Ada', session_id: undefined };
    const { outputs } = await runAlone(messageHistory, call, services);
    expect(outputs).toEqual({ stored_messages: { ...hi, sender: 'Machine', sender_name: 'Bo' } });
    expect(await history.list('default', 10, new AbortController().signal)).toHaveLength(3);
  });

  it('reads the messages of one sender name, and gives them as a table', async () => {
    const history = memoryHistory();
    await store(history, 'a', { sender_name: 'Ada' });
    await store(history, 'b', { sender_name: 'Bo' });
    await store(history, 'c', { sender_name: 'Ada', sender: 'Machine' });
    expect((await retrieve(history, { sender_name: 'Ada' })).value).toEqual({ text: 'Ada: a\nAda: c' });
    expect((await retrieve(history, { sender_name: 'Ada', sender_type: 'Machine' })).value).toEqual({ text: 'Ada: c' });
    const config = { order: 'Descending', n_messages: 2 };
    const table = await runNode({ type: 'Memory', output: 'dataframe', config, services: { history } });
    expect((table.value as StoredMessage[]).map(({ text }) => text)).toEqual(['c', 'b']);
    expect((await retrieve(history, { template: '{text}{nothing}.' })).value).toEqual({ text: 'a.\nb.\nc.' });
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

it('declares its effects and ports', () => {
  expect(declaredBy(messageHistory)).toEqual([
    'Memory: database-write',
    'mode: select default="Retrieve" of Retrieve|Store',
    'message: multiline Message required toolParameter variables=false if mode Store',
    'session_id: text Message default="default" variables=false',
    'sender_type: select advanced default="Machine and User" of Machine and User|Machine|User if mode Retrieve',
    'sender: select default="User" of User|Machine if mode Store',
    'sender_name: text advanced default="" variables=false',
    'n_messages: integer default=100 max=10000 min=0 if mode Retrieve',
    'order: select default="Ascending" of Ascending|Descending if mode Retrieve',
    'template: multiline advanced default="{sender_name}: {text}" variables=false if mode Retrieve',
    'after: handle Message Data Table advanced if mode Retrieve',
    'messages_text: gives Message if mode Retrieve',
    'dataframe: gives Table if mode Retrieve',
    'stored_messages: gives Message if mode Store',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(messageHistory.descriptor)).toEqual([
    'Message history (history): Reads the messages of a session, or stores one.',
    'input and output | memory | chat | session | MessageHistory | StoreMessage',
    'mode: Mode',
    'message: Message',
    'session_id: Session',
    'sender_type: Messages of',
    'sender: Sender',
    'sender_name: Sender name',
    'n_messages: Messages at most',
    'order: Order',
    'template: Template',
    'after: Wait for',
    'messages_text: Text',
    'dataframe: Messages',
    'stored_messages: Stored message',
  ]);
});
