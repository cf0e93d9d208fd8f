import type { ObservedCall } from '../../decision.ts';
import { isObject, type JsonObject } from '../wire-json.ts';
import type { SeenCall } from '../wire.ts';

/** One call of a choice, assembled from its fragments. */
export class CollectedCall {
  readonly key: string;
  /** The index of its fragments. Some clients merge calls with the same index (or without one) into one call. */
  readonly group: string;
  readonly legacy: boolean;
  id: string | undefined;
  readonly function = new Text();
  readonly custom = new Text();
  /** Members outside the protocol, which some upstreams need back (thought signatures). */
  readonly extra: JsonObject = {};
  type: string | undefined;

  constructor(key: string, group: string, legacy: boolean) {
    this.key = key;
    this.group = group;
    this.legacy = legacy;
  }

  /** Adds one `tool_calls` entry or `function_call`. False if it does not have the expected form. */
  add(entry: JsonObject): boolean {
    if (this.legacy) return this.function.add(entry.name, entry.arguments);
    for (const [name, value] of Object.entries(entry)) if (!OWN_MEMBERS.has(name)) this.extra[name] = value;
    if (typeof entry.id === 'string' && entry.id !== '') this.id ??= entry.id;
    if (typeof entry.type === 'string') this.type ??= entry.type;
    return (
      this.#addPart(this.function, entry.function, 'arguments') && this.#addPart(this.custom, entry.custom, 'input')
    );
  }

  #addPart(text: Text, part: unknown, body: string): boolean {
    if (part === undefined || part === null) return true;
    return isObject(part) && text.add(part.name, part[body]);
  }

  /** Adds to the arguments of a function that an earlier fragment named. */
  addArguments(text: string): void {
    this.function.add(undefined, text);
  }

  /** The possible readings of this call alone. */
  readings(): ObservedCall[] {
    const names = this.function.names();
    const object = this.function.object;
    const readings: ObservedCall[] = [];
    if (this.function.used)
      for (const name of names) readings.push({ name, arguments: object ?? this.function.text() });
    if (this.custom.used)
      for (const name of this.custom.names())
        readings.push({ name, arguments: this.custom.object ?? this.custom.text(), isText: true });
    return readings;
  }
}

const OWN_MEMBERS = new Set(['index', 'id', 'type', 'function', 'custom']);

/** A name and a body that arrive in pieces. */
class Text {
  used = false;
  /** The body, if it arrived as an object instead of text. */
  object: JsonObject | undefined;
  mixed = false;
  readonly #names: string[] = [];
  readonly #parts: string[] = [];

  add(name: unknown, body: unknown): boolean {
    this.used = true;
    if (typeof name === 'string') {
      if (name !== '') this.#names.push(name);
    } else if (name !== undefined && name !== null) return false;
    if (typeof body === 'string') {
      if (body !== '') this.#parts.push(body);
    } else if (isObject(body)) {
      if (this.object) this.mixed = true;
      this.object = body;
    } else if (body !== undefined && body !== null) return false;
    if (this.object && this.#parts.length > 0) this.mixed = true;
    return true;
  }

  text(): string {
    return this.#parts.join('');
  }

  /** A name sent in several pieces: some clients take the first, some the last, some join them. */
  names(): string[] {
    const [first, ...others] = this.#names;
    if (first === undefined) return [''];
    if (others.every((name) => name === first)) return [first];
    return [...new Set([first, others.at(-1) ?? first, this.#names.join('')])];
  }
}

/**
 * The calls of one choice, from its fragments in order. The index decides to which call a fragment belongs; if
 * upstreams send none, or the same for several, the id does. Readings contain what clients could then read differently.
 */
export class CallCollector {
  readonly #prefix: string;
  readonly #calls: CollectedCall[] = [];
  readonly #current = new Map<string, CollectedCall>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get calls(): readonly CollectedCall[] {
    return this.#calls;
  }

  /** Adds a `tool_calls` entry and returns its call. `undefined` if it does not have the expected form. */
  addToolCall(entry: unknown): CollectedCall | undefined {
    if (!isObject(entry)) return undefined;
    const { index } = entry;
    if (index !== undefined && index !== null && typeof index !== 'number' && typeof index !== 'string')
      return undefined;
    const call = this.#callFor(entry, index === undefined || index === null ? 'none' : String(index));
    return call.add(entry) ? call : undefined;
  }

  /** The same for the old `function_call`, of which a choice has one. */
  addFunctionCall(entry: unknown): CollectedCall | undefined {
    if (!isObject(entry)) return undefined;
    const call = this.#current.get('legacy') ?? this.#open('legacy', true);
    return call.add(entry) ? call : undefined;
  }

  /** These calls in the form for the judge. */
  seen(calls: readonly CollectedCall[]): SeenCall[] {
    return calls.map((call) => {
      const readings = [...call.readings(), ...this.#joinedReadings(call)];
      const mixed = call.function.mixed || call.custom.mixed;
      if (mixed || readings.length === 0) return { key: call.key, readings, fault: 'ambiguous-arguments' };
      return { key: call.key, readings };
    });
  }

  #callFor(entry: JsonObject, group: string): CollectedCall {
    const current = this.#current.get(group);
    if (!current) return this.#open(group, false);
    const id = typeof entry.id === 'string' && entry.id !== '' ? entry.id : undefined;
    if (id !== undefined && current.id !== undefined && id !== current.id) {
      const known = group === 'none' ? this.#calls.find((call) => call.group === group && call.id === id) : undefined;
      return known ?? this.#open(group, false);
    }
    // Complete calls without index or id, one after the other.
    const named = (isObject(entry.function) && entry.function.name) || (isObject(entry.custom) && entry.custom.name);
    if (group === 'none' && id === undefined && named && current.function.text() + current.custom.text() !== '')
      return this.#open(group, false);
    return current;
  }

  #open(group: string, legacy: boolean): CollectedCall {
    const call = new CollectedCall(`${this.#prefix}/${this.#calls.length}`, group, legacy);
    this.#calls.push(call);
    this.#current.set(group, call);
    return call;
  }

  /**
   * A client that only uses the index merges calls with the same index into one: returns its names with the joined
   * text.
   */
  #joinedReadings(call: CollectedCall): ObservedCall[] {
    const group = this.#calls.filter((other) => other.group === call.group);
    if (group.length < 2) return [];
    const text = group.map((other) => other.function.text()).join('');
    try {
      JSON.parse(text);
    } catch {
      return [];
    }
    const names = new Set(group.flatMap((other) => other.function.names()));
    return [...names].map((name) => ({ name, arguments: text }));
  }
}
