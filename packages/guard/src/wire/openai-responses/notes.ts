import type { MadeFrame } from '../../proxy/framing.ts';
import type { JsonObject } from '../wire-json.ts';

const MARK = 'msg_croft_';
/** Longest text that is kept in an id. */
const MAX_KEPT = 1500;

/** The message that stands in the place of a blocked call. */
export function noteItem(note: string, key: string): JsonObject {
  return { id: noteId(note, key), type: 'message', status: 'completed', role: 'assistant', content: [textPart(note)] };
}

/**
 * The id of a made message. Upstream has never heard of it, so a client that later refers to the message by id alone would
 * fail there: the id carries the words, and `noteIn` gives them back.
 */
function noteId(note: string, key: string): string {
  return `${MARK}${key}_${Buffer.from(note.slice(0, MAX_KEPT)).toString('base64url')}`;
}

/** Whether text holds the id of a made message, or looks like it. */
export function mayNameNote(text: string): boolean {
  return text.includes(MARK);
}

/** The words of the made message with this id; `undefined` for any other id. */
export function noteIn(id: unknown): string | undefined {
  const kept = typeof id === 'string' ? /^msg_croft_(?:\d+|end)_([\w-]*)$/.exec(id)?.[1] : undefined;
  return kept === undefined ? undefined : Buffer.from(kept, 'base64url').toString('utf8');
}

/** The events by which such a message comes in, at `index`. `number` gives each its sequence number, if there are any. */
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

/** A frame of an event; `named`: with the event's name beside it, as the upstream writes it. */
export function made(event: JsonObject & { readonly type: string }, named: boolean): MadeFrame {
  const data = JSON.stringify(event);
  return named ? { event: event.type, data } : { data };
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}
