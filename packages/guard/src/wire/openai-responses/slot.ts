import type { ObservedCall } from '../../decision.ts';
import { isObject, type JsonObject } from '../wire-json.ts';
import type { Call } from './call.ts';
import { bodyKey, covers, isEmpty, readingsOf } from './items.ts';
import type { Channel } from './payload.ts';

/** Limit of readings of one call; with more, they are not judged one by one. */
export const MOST_READINGS = 16;
const TYPE_OF = { arguments: 'function_call', input: 'custom_tool_call', diff: 'apply_patch_call' } as const;

/** One position of the output while an item arrives there. */
export class Slot {
  readonly index: number | undefined;
  itemId: string | undefined;
  added: JsonObject | undefined;
  isCall: boolean;
  /** The call it contains; set when that is complete. */
  call: Call | undefined;
  closed = false;
  readonly names = new Set<string>();
  readonly deltas = new Map<Channel, string[]>();
  readonly wholes: { readonly channel: Channel; readonly text: string }[] = [];

  constructor(index: number | undefined, itemId: string | undefined, isCall: boolean) {
    this.index = index;
    this.itemId = itemId;
    this.isCall = isCall;
  }
}

/**
 * Every way to read an item: the finished item, and differing content of its start or its fragments. Empty if nothing
 * can be read, or if there are too many ways.
 */
export function readingsIn(slot: Slot, item: JsonObject | undefined): ObservedCall[] {
  const { added } = slot;
  const names = new Map<string, JsonObject>();
  for (const { name, namespace } of [
    item ?? {},
    added ?? {},
    ...[...slot.names].map((each): JsonObject => ({ name: each })),
  ])
    if (typeof name === 'string' && name !== '')
      names.set(name, namespace === undefined ? { name } : { name, namespace });
  const bodies = bodiesIn(slot, item);
  const named = [...names.values()];
  if (named.length > MOST_READINGS || bodies.length > MOST_READINGS) return [];
  if (named.length <= 1) return bodies.flatMap((body) => readingsOf({ ...body, ...named[0] }));
  return bodies.flatMap((body) => named.flatMap((name) => readingsOf({ ...body, ...name })));
}

function bodiesIn(slot: Slot, item: JsonObject | undefined): JsonObject[] {
  const { added } = slot;
  const bodies: JsonObject[] = item ? [item] : [];
  const texts = textsOf(slot, item);
  for (const { channel, text } of texts) {
    const type = TYPE_OF[channel];
    const base = [item, added].find((each) => each?.type === type) ?? { type };
    const body = withText(base, channel, text);
    if (item && saysText(item, channel, text, added === undefined)) continue;
    bodies.push(body);
  }
  if (added && (item ? added.type !== item.type || !saysBody(item, added) : texts.length === 0)) bodies.push(added);
  return bodies;
}

/** The text of the fragments, in each way they can be assembled. */
function textsOf(
  slot: Slot,
  item: JsonObject | undefined,
): { channel: 'arguments' | 'input' | 'diff'; text: string }[] {
  const texts: { channel: 'arguments' | 'input' | 'diff'; text: string }[] = [];
  const add = (channel: Channel, text: string): void => {
    if (channel !== 'other' && text !== '' && !texts.some((each) => each.channel === channel && each.text === text))
      texts.push({ channel, text });
  };
  for (const [channel, deltas] of slot.deltas) {
    const text = deltas.join('');
    add(channel, text);
    const begun = channel === 'diff' ? undefined : slot.added?.[channel];
    if (typeof begun === 'string' && begun !== '' && item?.[channel] !== text) add(channel, begun + text);
  }
  for (const { channel, text } of slot.wholes) add(channel, text);
  return texts;
}

function withText(base: JsonObject, channel: 'arguments' | 'input' | 'diff', text: string): JsonObject {
  if (channel !== 'diff') return { ...base, [channel]: text };
  return { ...base, operation: { ...(isObject(base.operation) && base.operation), diff: text } };
}

/** Whether the finished item contains this text. A stream that was joined late has only the end of it (`resumed`). */
function saysText(item: JsonObject, channel: 'arguments' | 'input' | 'diff', text: string, resumed: boolean): boolean {
  const said = channel !== 'diff' ? item[channel] : isObject(item.operation) ? item.operation.diff : undefined;
  return typeof said === 'string' && (said === text || (resumed && said.endsWith(text)));
}

function saysBody(item: JsonObject, added: JsonObject): boolean {
  const key = bodyKey(item.type);
  if (key === undefined)
    return Object.entries(added).every(
      ([name, value]) => isEmpty(value) || covers(item[name], value) || name === 'status',
    );
  return covers(item[key], added[key]);
}
