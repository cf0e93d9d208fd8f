import type { ObservedCall } from '../../decision.ts';
import { isObject, type JsonObject } from '../wire-json.ts';
import type { SeenCall } from '../wire.ts';
import type { Call } from './call.ts';
import { isCallItem, readingsOf } from './items.ts';
import type { ResponsesEvent } from './payload.ts';
import { MOST_READINGS, readingsIn, Slot } from './slot.ts';

/** The calls found in one frame. */
export interface Mark {
  readonly slot?: Slot;
  readonly call?: Call;
  /** The call of each item of a snapshot. */
  readonly outputs?: readonly (Call | undefined)[];
}

/**
 * The calls of one response, from its events in order. The same call arrives up to four times (added and deltas, the
 * text again, the finished item, the last snapshot), and clients differ in which they run. Items that agree are one
 * call; different content in the same place becomes a further reading; and a finished item that was not seen before is
 * a new call.
 */
export class CallCollector {
  readonly calls: Call[] = [];
  readonly #current = new Map<string, Slot>();
  readonly #open = new Set<Slot>();
  readonly #byIdentity = new Map<string, Call>();
  #fresh: Call[] = [];

  /** Whether a call has begun and is not complete. */
  get open(): boolean {
    return this.#open.size > 0;
  }

  /** Whether there are complete calls that were not returned yet. */
  get hasFresh(): boolean {
    return this.#fresh.length > 0;
  }

  takeFresh(): SeenCall[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh.map(({ seen }) => seen);
  }

  /** Adds an event. `undefined` if it contradicts earlier events. */
  take(event: ResponsesEvent): Mark | undefined {
    switch (event.kind) {
      case 'item':
        return event.done ? this.#finished(event, event.item) : this.#added(event, event.item);
      case 'snapshot': {
        const outputs = event.output.map((item, at) =>
          isObject(item) && isCallItem(item) ? this.#inSnapshot(item, at) : undefined,
        );
        if (event.final) this.end();
        return { outputs };
      }
      case 'fragment':
        return this.#fragment(event);
      case 'other': {
        const slot = this.#find(event);
        return slot?.isCall && !slot.closed ? { slot } : {};
      }
    }
  }

  /** Ends the input: open calls are complete as they are. */
  end(): void {
    for (const slot of this.#open) this.#close(slot, undefined);
  }

  #added(event: ResponsesEvent, item: JsonObject): Mark | undefined {
    const isCall = isCallItem(item);
    let slot = this.#find(event);
    if (slot && (slot.closed || (slot.added && !isSame(slot.added, item)))) slot = undefined;
    if (slot?.isCall && !isCall) return undefined;
    slot ??= new Slot(event.index, event.itemId, isCall);
    slot.added = item;
    slot.itemId ??= event.itemId;
    this.#current.set(labelOf(event), slot);
    if (!isCall) return {};
    this.#open.add(slot);
    return { slot };
  }

  #finished(event: ResponsesEvent, item: JsonObject): Mark | undefined {
    const slot = this.#find(event);
    if (!isCallItem(item)) {
      if (slot?.isCall && !slot.closed) return undefined;
      if (slot) slot.closed = true;
      return {};
    }
    if (slot && !slot.isCall && !slot.closed) return undefined;
    if (slot?.closed) {
      const known = this.#byIdentity.get(identityOf(item));
      if (known) return { call: known, ...(known === slot.call && { slot }) };
    }
    const open = slot && !slot.closed ? slot : new Slot(event.index, event.itemId, true);
    this.#current.set(labelOf(event), open);
    return { slot: open, call: this.#close(open, item) };
  }

  #fragment(event: ResponsesEvent & { kind: 'fragment' }): Mark | undefined {
    if (this.#crosses(event)) return undefined;
    let slot = this.#find(event);
    if (slot && !slot.isCall && !slot.closed) return event.channel === 'other' ? {} : undefined;
    if (slot?.closed && event.channel !== 'other') {
      const said = slot.call?.item?.[event.channel];
      return event.whole && said === event.text ? { slot } : undefined;
    }
    if (!slot || slot.closed) {
      slot = new Slot(event.index, event.itemId, true);
      this.#current.set(labelOf(event), slot);
      this.#open.add(slot);
    }
    if (event.name !== undefined) slot.names.add(event.name);
    if (event.whole) slot.wholes.push(event);
    else if (event.channel !== 'other') {
      const deltas = slot.deltas.get(event.channel);
      if (deltas) deltas.push(event.text);
      else slot.deltas.set(event.channel, [event.text]);
    }
    return { slot };
  }

  #inSnapshot(item: JsonObject, at: number): Call {
    const known = this.#byIdentity.get(identityOf(item));
    if (known) return known;
    const slot = [...this.#open].find(
      (each) => each.index === at || (each.itemId !== undefined && each.itemId === item.id),
    );
    return slot ? this.#close(slot, item) : this.#register(item, readingsOf(item));
  }

  #close(slot: Slot, item: JsonObject | undefined): Call {
    this.#open.delete(slot);
    slot.closed = true;
    slot.call = this.#register(item ?? slot.added, readingsIn(slot, item));
    return slot.call;
  }

  #register(item: JsonObject | undefined, readings: readonly ObservedCall[]): Call {
    const key = String(this.calls.length);
    const unique =
      readings.length < 2 ? readings : [...new Map(readings.map((each) => [JSON.stringify(each), each])).values()];
    const certain = unique.length > 0 && unique.length <= MOST_READINGS;
    const seen: SeenCall = certain
      ? { key, readings: unique }
      : { key, readings: unique.slice(0, MOST_READINGS), fault: 'ambiguous-arguments' };
    const call: Call = { key, item, seen, outcome: 'pending', replacement: undefined, result: undefined };
    this.calls.push(call);
    this.#fresh.push(call);
    if (item) this.#byIdentity.set(identityOf(item), call);
    return call;
  }

  #find(event: ResponsesEvent): Slot | undefined {
    const slot = this.#current.get(labelOf(event));
    if (slot || event.index !== undefined) return slot;
    return [...this.#open].find((each) => each.itemId !== undefined && each.itemId === event.itemId);
  }

  /** Whether the event's index and item id belong to different open calls. */
  #crosses(event: ResponsesEvent): boolean {
    const byIndex = this.#find(event);
    return [...this.#open].some(
      (slot) => slot !== byIndex && slot.itemId !== undefined && slot.itemId === event.itemId,
    );
  }
}

function labelOf(event: ResponsesEvent): string {
  return event.index === undefined ? `id ${event.itemId ?? ''}` : String(event.index);
}

/** Whether an item begins twice with the same content. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  return one.id === other.id && JSON.stringify(one) === JSON.stringify(other);
}

/** Two items with the same identity are the same call. Ids and status of an item do not belong to it. */
function identityOf(item: JsonObject): string {
  return JSON.stringify([item.type, item.call_id, readingsOf(item)]);
}
