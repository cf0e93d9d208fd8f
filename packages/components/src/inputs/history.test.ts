import { expect, it } from 'vitest';
import { earlierMessages, memoryHistory, withInstructions } from './history.ts';

it('gives a model the latest messages that fit, and none without a session', async () => {
  const history = memoryHistory();
  const { signal } = new AbortController();
  const texts = ['x'.repeat(150_000), 'y'.repeat(100_000), 'z'.repeat(90_000)];
  for (const [at, text] of texts.entries()) {
    const sender = at === 1 ? 'Machine' : 'User';
    await history.add('s', { text, sender, sender_name: '', session_id: 's', timestamp: '' }, signal, `${at}`);
  }
  const read = async (session: string, limit: number) =>
    (await earlierMessages(history, { session_id: session, n_messages: limit }, signal)).messages.map(
      ({ role, text }) => `${role} ${text[0]}`,
    );
  expect(await read('s', 100)).toEqual(['assistant y', 'user z']);
  expect(await read('s', 1)).toEqual(['user z']);
  expect([await read('s', 0), await read('', 100), await read('t', 100)]).toEqual([[], [], []]);
});

it('keeps the instructions of a client apart from its messages, and all of them', async () => {
  const of = (text: string) => ({ text, sender: 'User', sender_name: 'User', session_id: 's', timestamp: '' });
  const list = async () => [of('x'.repeat(150_000)), of('y'.repeat(100_000)), of('Hi')];
  const history = { ...memoryHistory(), list, instructions: [of('Be brief.')] };
  const read = (inputs: object) => earlierMessages(history, { ...inputs }, new AbortController().signal);
  const earlier = await read({ session_id: 's', n_messages: 10 });
  expect(earlier.instructions).toEqual(['Be brief.']);
  expect(earlier.messages.map(({ role, text }) => `${role} ${text.slice(0, 2)}`)).toEqual(['user yy', 'user Hi']);
  expect([withInstructions('Own.', earlier), withInstructions(' ', earlier)]).toEqual([
    'Own.\n\nBe brief.',
    'Be brief.',
  ]);
  const alone = { instructions: ['Be brief.'], messages: [] };
  for (const inputs of [{ session_id: 's', n_messages: 0 }, { session_id: 's' }, { n_messages: 10 }, {}])
    expect(await read(inputs)).toEqual(alone);
});
