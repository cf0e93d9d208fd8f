import { describe, expect, it } from 'vitest';
import { conversationOf } from './chat-messages.ts';

const { signal } = new AbortController();

describe('the messages of a chat request', () => {
  it('are the last one as input, and a history with those before it', async () => {
    const { message, history } = conversationOf([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One, ' },
          { type: 'text', text: 'two' },
        ],
      },
      { role: 'assistant', content: null },
      { role: 'user', content: 'Three?' },
    ]);
    expect(message).toBe('Three?');
    expect(history.instructions).toMatchObject([{ text: 'Be brief.', sender: 'User', sender_name: 'System' }]);
    const all = await history.list('any', 10, signal);
    expect(all.map(({ text, sender, sender_name }) => [text, sender, sender_name])).toEqual([
      ['One, two', 'User', 'User'],
      ['', 'Machine', 'AI'],
    ]);
  });

  it('have a history of their own request, with what the run adds', async () => {
    const one = conversationOf([{ role: 'user', content: 'a' }]).history;
    await one.add(
      's',
      { text: 'added', sender: 'Machine', sender_name: 'AI', session_id: 's', timestamp: '' },
      signal,
      'k',
    );
    expect((await one.list('other', 5, signal)).map(({ text }) => text)).toEqual(['added']);
    expect(await conversationOf([{ role: 'user', content: 'a' }]).history.list('s', 5, signal)).toEqual([]);
  });

  it('end with a message of the user', () => {
    for (const messages of [[], [{ role: 'assistant' as const, content: 'x' }]])
      expect(() => conversationOf(messages)).toThrow("messages: the last one must have the role 'user'.");
  });

  it('are text, and the error names the part that is not', () => {
    const image = { role: 'user' as const, content: [{ type: 'image_url' }] };
    const text = { role: 'user' as const, content: 'x' };
    expect(() => conversationOf([text, image])).toThrow(
      "messages.1: the part 'image_url' is not text. Send text only.",
    );
    expect(() => conversationOf([image, text])).toThrow("messages.0: the part 'image_url' is not text.");
    expect(() => conversationOf([{ role: 'user', content: [{ type: 'text' }] }])).toThrow(
      "the part 'text' is not text",
    );
  });
});

it('gives each role its sender, and all instructions beside the newest messages of a limit', async () => {
  const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
  const messages = roles.map((role) => ({ role, content: role }));
  const { history, message } = conversationOf([...messages, { role: 'user', content: undefined }]);
  expect(message).toBe('');
  const stored = [...(history.instructions ?? []), ...(await history.list('s', 9, signal))];
  expect(stored.map((each) => ({ ...each, timestamp: '' }))).toEqual([
    { text: 'system', sender: 'User', sender_name: 'System', session_id: '', timestamp: '' },
    { text: 'developer', sender: 'User', sender_name: 'System', session_id: '', timestamp: '' },
    { text: 'user', sender: 'User', sender_name: 'User', session_id: '', timestamp: '' },
    { text: 'assistant', sender: 'Machine', sender_name: 'AI', session_id: '', timestamp: '' },
    { text: 'tool', sender: 'Machine', sender_name: 'Tool', session_id: '', timestamp: '' },
  ]);
  for (const { timestamp } of stored) expect(new Date(timestamp).toISOString()).toBe(timestamp);
  expect((await history.list('s', 2, signal)).map(({ text }) => text)).toEqual(['assistant', 'tool']);
});

it('refuses with a status, and shows 50 characters of the kind of a part', () => {
  const part = { role: 'user' as const, content: [{ type: 'x'.repeat(60), text: 'y' }] };
  expect(() => conversationOf([part])).toThrow(
    expect.objectContaining({
      status: 400,
      code: 'invalid',
      message: `messages.0: the part '${'x'.repeat(50)}' is not text. Send text only.`,
    }),
  );
});
