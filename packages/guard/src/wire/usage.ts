import { replaceSpans, spanOf } from './json-span.ts';
import { isObject, type JsonObject, parseWireJson } from './wire-json.ts';

/**
 * Adds the usage of two replies: counts are added at any depth, and lists by modality; all other values come from the
 * later reply. `undefined` only if neither has usage.
 */
export function addUsage(before: unknown, now: unknown): JsonObject | undefined {
  if (!isObject(before)) return isObject(now) ? now : undefined;
  if (!isObject(now)) return before;
  return Object.fromEntries(
    [...new Set([...Object.keys(now), ...Object.keys(before)])].map((name) => [name, sum(before[name], now[name])]),
  );
}

/**
 * A reply that is not streamed, with the usage of earlier replies added to its own; every other byte stays. Returns the
 * same object if the reply reports no usage. Never throws.
 *
 * @param paths where a reply may report usage
 */
export function bodyWithUsage(body: Buffer, earlier: readonly Buffer[], paths: readonly (readonly string[])[]): Buffer {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  for (const path of paths) {
    const own = usageIn(text, path);
    const span = own && spanOf(text, path);
    if (!span) continue;
    const before = earlier.reduce<JsonObject | undefined>((total, each) => {
      const eachText = each.toString('utf8').replace(/^\uFEFF/, '');
      return addUsage(total, paths.map((other) => usageIn(eachText, other)).find(isObject));
    }, undefined);
    if (before === undefined) return body;
    return Buffer.from(replaceSpans(text, [{ span, text: JSON.stringify(addUsage(before, own)) }]));
  }
  return body;
}

function usageIn(text: string, path: readonly string[]): JsonObject | undefined {
  let value: unknown = parseWireJson(text)?.value;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return isObject(value) ? value : undefined;
}

function sum(before: unknown, now: unknown): unknown {
  if (typeof before === 'number' && typeof now === 'number') return before + now;
  if (isObject(before) && isObject(now)) return addUsage(before, now);
  if (Array.isArray(before) && Array.isArray(now)) return sumLists(before, now);
  return now ?? before;
}

/** Gemini reports counts per modality, in a list. */
function sumLists(before: readonly unknown[], now: readonly unknown[]): unknown[] {
  const result = [...before];
  for (const item of now) {
    const at = result.findIndex(
      (other) => isObject(item) && isObject(other) && item.modality !== undefined && other.modality === item.modality,
    );
    if (at === -1) result.push(item);
    else result[at] = addUsage(result[at], item);
  }
  return result;
}
