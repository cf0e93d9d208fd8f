import type { MadeFrame } from '../../framing/framing.ts';
import type { JsonObject } from '../wire-json.ts';

/** An event in the form of this protocol. */
export function made(payload: JsonObject & { readonly type: string }): MadeFrame {
  return { event: payload.type, data: JSON.stringify(payload) };
}

/** A text as a block of its own: start, text, end. */
export function textBlock(index: number, text: string): MadeFrame[] {
  return [
    made({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }),
    made({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
    stop(index),
  ];
}

/** The end of a block. */
export function stop(index: number): MadeFrame {
  return made({ type: 'content_block_stop', index });
}

/** A start for a reply whose own start was not sent. */
export function messageStart(): MadeFrame {
  const message = {
    id: 'msg_croft_guard',
    type: 'message',
    role: 'assistant',
    model: '',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  return made({ type: 'message_start', message });
}

/** The end of a reply that the guard ends: the turn is over, and its usage is unknown. */
export function messageEnd(): MadeFrame[] {
  const delta = { stop_reason: 'end_turn', stop_sequence: null };
  return [made({ type: 'message_delta', delta, usage: { output_tokens: 0 } }), made({ type: 'message_stop' })];
}

/** The error on which the protocol's SDKs throw, as an event and as a body. */
export function errorPayload(type: string, message: string): JsonObject & { readonly type: string } {
  return { type: 'error', error: { type, message } };
}
