import { parse, stringify } from 'lossless-json';
import { isObject, type JsonObject } from '../wire-json.ts';
import { mayNameNote, noteIn } from './notes.ts';
import { type OpenCalls, openCalls } from './open-calls.ts';

/**
 * The request as upstream understands it: what stands in it of the guard's own making is taken back. A message the guard made
 * is sent as text where the client refers to it by id (the AI SDK does, unless told not to store), and a response that is
 * continued gets the results of the calls that were taken out of it. Any other request comes back as the very bytes.
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

/** Without those the client sends itself. */
function missing(results: readonly JsonObject[], items: unknown): readonly JsonObject[] {
  if (!Array.isArray(items)) return results;
  const sent = new Set((items as unknown[]).map((item) => (isObject(item) ? item.call_id : undefined)));
  return results.filter(({ call_id }) => !sent.has(call_id));
}
