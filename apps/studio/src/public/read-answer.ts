import { apiUrl, send } from '../api/request.ts';

/** A message of a conversation with a public flow, as the server reads it. */
export interface VisitorMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** A part of the answer, the whole answer, or why there is none. */
export interface AnswerEvent {
  readonly kind: 'text' | 'done' | 'failed';
  readonly text: string;
}

/** Sends a conversation to a public flow and yields the parts of the answer. @throws ApiError */
export async function* askFlow(
  link: string,
  messages: readonly VisitorMessage[],
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const url = apiUrl(`api/v1/public/${encodeURIComponent(link)}/messages`);
  const { body } = await send(url, { method: 'POST', json: { messages }, signal });
  if (body) yield* readAnswer(body);
}

/** Reads server-sent events. An event that ends in the middle is left out. */
export async function* readAnswer(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const [, kind, data] = /^event: (text|done|failed)\ndata: (.*)$/.exec(frame) ?? [];
        if (kind && data)
          yield { kind: kind as AnswerEvent['kind'], text: (JSON.parse(data) as { text: string }).text };
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
