import { isObject } from '../wire-json.ts';
import { CallCollector, type CollectedCall } from './calls.ts';
import type { ReadChoice } from './payload.ts';

/** One choice of a streamed reply, so far. */
export interface Choice {
  readonly calls: CallCollector;
  /** The new index of each decided call, or `undefined` for a removed one. */
  readonly settled: Map<string, number | undefined>;
  finished: boolean;
  survivors: number;
}

/** The calls found in a frame, so that they can be removed later. */
export interface Mark {
  readonly index: string;
  readonly entries: readonly string[];
  readonly functionCall: string | undefined;
}

/** The choices of a streamed reply, by index. */
export class StreamedChoices {
  readonly #choices = new Map<string, Choice>();

  of(index: string): Choice {
    let choice = this.#choices.get(index);
    if (!choice) {
      choice = { calls: new CallCollector(index), settled: new Map(), finished: false, survivors: 0 };
      this.#choices.set(index, choice);
    }
    return choice;
  }

  all(): Iterable<Choice> {
    return this.#choices.values();
  }

  /** The choices with calls that are not settled. */
  open(): Choice[] {
    return [...this.#choices.values()].filter((choice) => openCalls(choice).length > 0);
  }
}

/** The calls of a choice that are not settled. */
export function openCalls(choice: Choice): CollectedCall[] {
  return choice.calls.calls.filter((call) => !choice.settled.has(call.key));
}

/** Adds the calls of one frame to its choice. Undefined if the frame cannot be read reliably. */
export function collectCalls(choice: Choice, read: ReadChoice): Mark | undefined {
  const entries: string[] = [];
  for (const entry of read.toolCalls) {
    const call = choice.calls.addToolCall(entry);
    if (!call || reopens(choice, call, entry)) return undefined;
    entries.push(call.key);
  }
  const legacy = read.functionCall === undefined ? undefined : choice.calls.addFunctionCall(read.functionCall);
  if (read.functionCall !== undefined && (!legacy || reopens(choice, legacy, { function: read.functionCall })))
    return undefined;
  return { index: read.index, entries, functionCall: legacy?.key };
}

/** Whether more of a judged call arrives: the client would then have another call than the one judged. */
function reopens(choice: Choice, call: CollectedCall, entry: unknown): boolean {
  if (!choice.settled.has(call.key) || !isObject(entry)) return false;
  return [entry.function, entry.custom].some(
    (part) => isObject(part) && Object.values(part).some((value) => value !== null && value !== ''),
  );
}
