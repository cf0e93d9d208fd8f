import type { ObservedCall } from '../../decision.ts';
import { isObject, type JsonObject } from '../wire-json.ts';
import type { SeenCall } from '../wire.ts';
import { memberNames, readMembers, strangers } from './members.ts';
import { PartialArgs } from './partial-args.ts';
import type { ReadPart } from './payload.ts';

const MAX_EARLY = 16;

const CALL = memberNames('id', 'name', 'args', 'partialArgs', 'willContinue');

/** One call of a reply: usually one part; several if its arguments are streamed. */
export class CollectedCall {
  readonly key: string;
  readonly candidate: string;
  readonly name: string;
  readonly partial: PartialArgs | undefined;
  id: unknown;
  args: unknown;
  /** The thought signature of its first signed part. */
  signature: unknown;
  complete = false;
  /** The call was passed to the judge. */
  reported = false;
  fault: SeenCall['fault'];
  /** Its values at points where some client could have considered it finished. */
  readonly early: unknown[] = [];
  readonly extra: unknown[] = [];

  constructor(key: string, candidate: string, name: string, streamed: boolean) {
    this.key = key;
    this.candidate = candidate;
    this.name = name;
    this.partial = streamed ? new PartialArgs() : undefined;
  }

  /** The arguments as one object, as in a conversation history. */
  wholeArgs(): unknown {
    return this.partial ? this.partial.values()[0] : this.args;
  }

  /**
   * Records the current value, because some client could consider the call finished now. False if that happens too
   * often to record.
   */
  mayEndHere(): boolean {
    if (this.early.length >= MAX_EARLY) return false;
    this.early.push(...(this.partial?.values() ?? []));
    return true;
  }

  seen(): SeenCall {
    const { key, name } = this;
    const values = this.partial ? [...this.partial.values(), ...this.early] : [this.args ?? {}];
    const readings: ObservedCall[] = [...values, ...this.extra].map((value) => ({ name, arguments: value }));
    const fault = this.partial?.unclear ? 'ambiguous-arguments' : this.fault;
    return fault ? { key, readings, fault } : { key, readings };
  }
}

/** The calls of one reply, from its parts in order. */
export class CallCollector {
  #calls: CollectedCall[] = [];
  #count = 0;
  #open: CollectedCall | undefined;

  get calls(): readonly CollectedCall[] {
    return this.#calls;
  }

  /** Whether a call's arguments are incomplete. */
  get open(): boolean {
    return this.#open !== undefined;
  }

  /**
   * Adds a part with a `functionCall` and returns the call to which it belongs. `undefined` if it cannot be read
   * reliably.
   */
  add(candidate: string, read: ReadPart): CollectedCall | undefined {
    const { call, signature } = read;
    const members = call && readMembers(call, CALL);
    if (!members) return undefined;
    const { name, partialArgs, willContinue } = members;
    if (name !== undefined && typeof name !== 'string') return undefined;
    if (willContinue !== undefined && typeof willContinue !== 'boolean') return undefined;
    const streamed = partialArgs !== undefined || willContinue === true;
    const target =
      name === undefined ? this.#continued(candidate, members, streamed) : this.#begin(candidate, name, streamed);
    if (!target) return undefined;
    target.id ??= members.id;
    target.signature ??= signature;
    target.extra.push(...strangers(call, CALL).filter((value) => typeof value === 'string' || isObject(value)));
    return this.#take(target, members, streamed) ? target : undefined;
  }

  /** Ends the turn. No client should run an unfinished call. */
  finish(): void {
    if (this.#open) this.#close(this.#open, 'invalid-arguments');
  }

  /** Removes and returns the complete calls. */
  takeComplete(): CollectedCall[] {
    const complete = this.#calls.filter((call) => call.complete);
    this.#calls = this.#calls.filter((call) => !call.complete);
    return complete;
  }

  #begin(candidate: string, name: string, streamed: boolean): CollectedCall {
    const before = this.#open;
    const call = new CollectedCall(`${this.#count++}`, candidate, name, streamed);
    this.#calls.push(call);
    if (before) {
      // One client considers the previous call finished; another appends what follows to the latest call, and may
      // return to the previous one.
      this.#close(before, 'ambiguous-arguments');
      call.fault = 'ambiguous-arguments';
    }
    return call;
  }

  #continued(candidate: string, members: JsonObject, streamed: boolean): CollectedCall | undefined {
    const open = this.#open;
    if (!open) return streamed ? undefined : this.#begin(candidate, '', false);
    const otherId = members.id !== undefined && open.id !== undefined && members.id !== open.id;
    if (open.candidate !== candidate || otherId) open.fault = 'ambiguous-arguments';
    return open;
  }

  #take(call: CollectedCall, members: JsonObject, streamed: boolean): boolean {
    const { args, partialArgs, willContinue } = members;
    if (!call.partial) {
      call.args = args;
      this.#close(call, call.fault);
      return true;
    }
    if (args !== undefined && !(isObject(args) && Object.keys(args).length === 0)) call.fault = 'ambiguous-arguments';
    if (partialArgs !== undefined && !call.partial.add(partialArgs)) return false;
    const stringGoesOn = Array.isArray(partialArgs) && partialArgs.some(goesOn);
    if (willContinue === true || (streamed && stringGoesOn)) {
      if (willContinue !== true && !call.mayEndHere()) call.fault = 'ambiguous-arguments';
      this.#open = call;
    } else this.#close(call, call.fault);
    return true;
  }

  #close(call: CollectedCall, fault: SeenCall['fault']): void {
    call.complete = true;
    call.fault ??= fault;
    this.#open = undefined;
  }
}

function goesOn(entry: unknown): boolean {
  return isObject(entry) && (entry.willContinue === true || entry.will_continue === true);
}
