import { sseData } from '../testing.ts';

/** A message assembled strictly from a stream: anything out of order throws. */
export interface ReadMessage {
  readonly id: string;
  content: ({ type: string; text?: string; input?: unknown } & Record<string, unknown>)[];
  stop_reason: string | null;
  usage: { output_tokens: number };
}

/** Assembles a message as the official SDK does, and throws where the SDK would silently go wrong. */
export function messageOf(bytes: Buffer): ReadMessage {
  let message: ReadMessage | undefined;
  let open: number | undefined;
  let partial = '';
  let ended = false;
  for (const event of sseData(bytes)) {
    if (ended) throw new Error(`${String(event.type)} after the end`);
    if (event.type === 'message_start') {
      if (message) throw new Error('a second beginning');
      message = structuredClone(event.message) as ReadMessage;
      continue;
    }
    if (event.type === 'ping') continue;
    if (!message) throw new Error('no beginning');
    switch (event.type) {
      case 'content_block_start':
        if (open !== undefined || event.index !== message.content.length) throw new Error('a gap in the indexes');
        message.content.push({ ...(event.content_block as ReadMessage['content'][number]) });
        open = event.index as number;
        partial = '';
        break;
      case 'content_block_delta':
        if (open === undefined || event.index !== open) throw new Error('a delta for no block');
        partial += addDelta(message.content[open] ?? { type: '' }, event.delta as Record<string, unknown>);
        break;
      case 'content_block_stop': {
        if (open === undefined || event.index !== open) throw new Error('an end of no block');
        const block = message.content[open];
        if (partial !== '' && block) block.input = JSON.parse(partial);
        open = undefined;
        break;
      }
      case 'message_delta':
        if (open !== undefined) throw new Error('an open block at the end');
        message.stop_reason = (event.delta as ReadMessage).stop_reason;
        message.usage = event.usage as ReadMessage['usage'];
        break;
      case 'message_stop':
        ended = true;
        break;
      default:
        throw new Error(`unknown event ${String(event.type)}`);
    }
  }
  if (!message || !ended) throw new Error('no end');
  return message;
}

function addDelta(block: Record<string, unknown>, delta: Record<string, unknown>): string {
  if (delta.type === 'input_json_delta') return delta.partial_json as string;
  for (const name of ['text', 'thinking'])
    if (typeof delta[name] === 'string') block[name] = (block[name] as string) + delta[name];
  if (typeof delta.signature === 'string') block.signature = delta.signature;
  return '';
}
