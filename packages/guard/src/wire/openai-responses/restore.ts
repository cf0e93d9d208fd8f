import { parse, stringify } from 'lossless-json';
import { isObject, type JsonObject } from '../wire-json.ts';
import { mayNameNote, noteIn } from './notes.ts';
import { type OpenCalls, openCalls } from './open-calls.ts';

/**
 * The request as upstream understands it: undoes the guard's changes. If the client refers to a message of the guard by
 * id (the AI SDK does by default), sends its text instead. If the client continues a response, adds the results of the
 * calls removed from it. Any other request is returned unchanged.
 */
export function restoreRequest(request: Buffer, open: OpenCalls = openCalls): Buffer {
  const text = request.toString('utf8');
  if (!mayNameNote(text) && !(open.size > 0 && text.includes('previous_response_id'))) return request;
  try {
    const asked = parse(text);
    if (!isObject(asked)) return request;
    const given = asked.input;
    const items = Array.isArray(given) ? (given as unknown[]).map(restored) : given;
    const results = missing(open.of(asked.previous_response_id), items);
    if (results.length === 0 && (!Array.isArray(given) || items === given || same(given, items))) return request;
    const asList = typeof items === 'string' ? [{ role: 'user', content: items }] : (items ?? []);
    const input = Array.isArray(asList) ? [...results, ...(asList as unknown[])] : items;
    const again = stringify({ ...asked, input });
    return again === undefined ? request : Buffer.from(again);
  } catch {
    return request;
  }
}

function restored(item: unknown): unknown {
  if (!isObject(item)) return item;
  const words = noteIn(item.id);
  if (words === undefined) return item;
  if (item.type === 'item_reference')
    return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] };
  const { id: _, ...rest } = item;
  return rest;
}

function same(one: readonly unknown[], other: unknown): boolean {
  return Array.isArray(other) && one.every((item, at) => item === other[at]);
}

/** The results that the client does not send itself. */
function missing(results: readonly JsonObject[], items: unknown): readonly JsonObject[] {
  if (!Array.isArray(items)) return results;
  const sent = new Set((items as unknown[]).map((item) => (isObject(item) ? item.call_id : undefined)));
  return results.filter(({ call_id }) => !sent.has(call_id));
}
