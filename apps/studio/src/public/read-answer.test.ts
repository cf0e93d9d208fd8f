import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { type AnswerEvent, askFlow, readAnswer } from './read-answer.ts';

const server = useFakeApi();

const STREAM =
  'event: text\ndata: {"text":"Grüße, "}\n\nevent: done\ndata: {"text":"Grüße, alle\\n\\nzwei"}\n\nevent: fai';

it('reads the parts of an answer wherever the stream is cut, also inside of a character', async () => {
  const bytes = new TextEncoder().encode(STREAM);
  for (let size = 1; size < 12; size++) {
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (let at = 0; at < bytes.length; at += size) stream.enqueue(bytes.slice(at, at + size));
        stream.close();
      },
    });
    const events: AnswerEvent[] = [];
    for await (const event of readAnswer(body)) events.push(event);
    expect(events).toEqual([
      { kind: 'text', text: 'Grüße, ' },
      { kind: 'done', text: 'Grüße, alle\n\nzwei' },
    ]);
  }
});

const bodyOf = (text: string, cancel?: () => void) =>
  new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(new TextEncoder().encode(text));
      if (cancel === undefined) stream.close();
    },
    ...(cancel && { cancel }),
  });

async function eventsOf(stream: AsyncIterable<AnswerEvent>): Promise<readonly AnswerEvent[]> {
  const events: AnswerEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

it('leaves out events of other kinds, and those without data', async () => {
  const text =
    'event: other\ndata: {"text":"a"}\n\nevent: text\ndata: \n\n: ping\n\nevent: failed\ndata: {"text":"No."}\n\n';
  expect(await eventsOf(readAnswer(bodyOf(text)))).toEqual([{ kind: 'failed', text: 'No.' }]);
});

it('ends the stream when the reader leaves, also where that fails', async () => {
  const cancel = vi.fn(() => {
    throw new Error('gone');
  });
  for await (const { text } of readAnswer(bodyOf('event: text\ndata: {"text":"a"}\n\n', cancel))) {
    expect(text).toBe('a');
    break;
  }
  expect(cancel).toHaveBeenCalledOnce();
});

it('sends a conversation to the flow of a link', async () => {
  server.answer('POST /api/v1/public/a%2Fb/messages', () => new Response(bodyOf(STREAM)));
  const { signal } = new AbortController();
  const events = await eventsOf(askFlow('a/b', [{ role: 'user', content: 'Hi' }], signal));
  expect(events.map(({ kind }) => kind)).toEqual(['text', 'done']);
  expect(server.requests).toEqual(['POST /api/v1/public/a%2Fb/messages {"messages":[{"role":"user","content":"Hi"}]}']);
  expect(vi.mocked(fetch).mock.calls[0]?.[1]?.signal).toBe(signal);
  server.answer('POST /api/v1/public/x/messages', () => new Response(null, { status: 204 }));
  expect(await eventsOf(askFlow('x', [], signal))).toEqual([]);
});
