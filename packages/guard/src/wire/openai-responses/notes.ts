import type { MadeFrame } from '../../framing/framing.ts';
import type { JsonObject } from '../wire-json.ts';

const MARK = 'msg_croft_';
/** Longest text that is stored in an id. */
const MAX_KEPT = 1500;

/** The message in place of a blocked call. */
export function noteItem(note: string, key: string): JsonObject {
  return { id: noteId(note, key), type: 'message', status: 'completed', role: 'assistant', content: [textPart(note)] };
}

/**
 * The id of a message that the guard created. Upstream does not know it, so a client that later refers to the message
 * by id alone would fail. Therefore the id contains the text, and `noteIn` decodes it.
 */
function noteId(note: string, key: string): string {
  return `${MARK}${key}_${Buffer.from(note.slice(0, MAX_KEPT)).toString('base64url')}`;
}

/** Whether text contains the id of a created message, or something similar. */
export function mayNameNote(text: string): boolean {
  return text.includes(MARK);
}

/** The text of the created message with this id; `undefined` for any other id. */
export function noteIn(id: unknown): string | undefined {
  const kept = typeof id === 'string' ? /^msg_croft_(?:\d+|end)_([\w-]*)$/.exec(id)?.[1] : undefined;
  return kept === undefined ? undefined : Buffer.from(kept, 'base64url').toString('utf8');
}

/** The events that transmit such a message, at `index`. `number` returns each sequence number, if there are any. */
export function noteEvents(
  item: JsonObject,
  index: number,
  named: boolean,
  number: () => { readonly sequence_number?: number },
): MadeFrame[] {
  const [part] = item.content as JsonObject[];
  const text = part?.text;
  const at = { item_id: item.id, output_index: index, content_index: 0 };
  const begun = { ...item, status: 'in_progress', content: [] };
  return [
    { type: 'response.output_item.added', output_index: index, item: begun },
    { type: 'response.content_part.added', ...at, part: textPart('') },
    { type: 'response.output_text.delta', ...at, delta: text, logprobs: [] },
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', output_index: index, item },
  ].map((event) => made({ ...event, ...number() }, named));
}

/** The frame of an event. `named`: with the event's name in the frame, if upstream writes it. */
export function made(event: JsonObject & { readonly type: string }, named: boolean): MadeFrame {
  const data = JSON.stringify(event);
  return named ? { event: event.type, data } : { data };
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}
