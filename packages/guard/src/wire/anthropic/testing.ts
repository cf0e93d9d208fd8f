/** Events of the Anthropic Messages stream, written by the public schema, for fixtures. */
export type AnthropicEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export function start(id = 'msg_1', content: readonly object[] = []): AnthropicEvent {
  const usage = { input_tokens: 25, cache_read_input_tokens: 7, output_tokens: 1 };
  const message = { id, type: 'message', role: 'assistant', model: 'claude-x', content, stop_reason: null };
  return { type: 'message_start', message: { ...message, stop_sequence: null, usage } };
}

export const blockStart = (index: number, content_block: object): AnthropicEvent => ({
  type: 'content_block_start',
  index,
  content_block,
});
export const delta = (index: number, body: object): AnthropicEvent => ({
  type: 'content_block_delta',
  index,
  delta: body,
});
export const json = (index: number, partial_json: string): AnthropicEvent =>
  delta(index, { type: 'input_json_delta', partial_json });
export const blockStop = (index: number): AnthropicEvent => ({ type: 'content_block_stop', index });
export const PING: AnthropicEvent = { type: 'ping' };

export function text(index: number, ...parts: readonly string[]): AnthropicEvent[] {
  return [
    blockStart(index, { type: 'text', text: '' }),
    ...parts.map((part) => delta(index, { type: 'text_delta', text: part })),
    blockStop(index),
  ];
}

export function thinking(index: number, words: string, signature: string): AnthropicEvent[] {
  return [
    blockStart(index, { type: 'thinking', thinking: '', signature: '' }),
    delta(index, { type: 'thinking_delta', thinking: words }),
    delta(index, { type: 'signature_delta', signature }),
    blockStop(index),
  ];
}

/** A call whose input arrives in `pieces` fragments, after an empty one as the API sends it. */
export function call(index: number, name: string, input: string, pieces = 2, more: object = {}): AnthropicEvent[] {
  const size = Math.ceil(input.length / pieces);
  const parts = Array.from({ length: pieces }, (_, at) => input.slice(at * size, (at + 1) * size));
  return [
    blockStart(index, { type: 'tool_use', id: `toolu_${index}`, name, input: {}, ...more }),
    json(index, ''),
    ...parts.map((part) => json(index, part)),
    blockStop(index),
  ];
}

export function end(stop_reason: string | null): AnthropicEvent[] {
  const usage = { output_tokens: 89 };
  return [{ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }, { type: 'message_stop' }];
}

/** The stream's bytes, with the event names the API sends. */
export function sse(events: readonly (AnthropicEvent | string)[], eol = '\n'): Buffer {
  return Buffer.from(framesOf(events, eol).join(''));
}

export function framesOf(events: readonly (AnthropicEvent | string)[], eol = '\n'): string[] {
  return events.map((event) =>
    typeof event === 'string' ? event : `event: ${event.type}${eol}data: ${JSON.stringify(event)}${eol}${eol}`,
  );
}
