import { expect, it } from 'vitest';
import { type AnswerEvent, readAnswer } from './read-answer.ts';

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
