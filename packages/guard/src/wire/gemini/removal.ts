import type { JsonObject } from '../wire-json.ts';
import type { Verdict } from '../wire.ts';
import type { CollectedCall } from './calls.ts';
import { foldName } from './members.ts';
import type { ReadCandidate, ReadPayload } from './payload.ts';

/** The call of each part of each candidate. */
export type Marks = readonly (readonly (CollectedCall | undefined)[])[];

const SIGNATURE = foldName('thoughtSignature');
/** Members for which a part is kept when its call is removed. */
const CONTENT = new Set(
  ['text', 'inlineData', 'fileData', 'executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'].map(foldName),
);

/**
 * Removes blocked calls from a reply and puts text in their place. Of parallel calls only the first is signed, and the
 * API refuses a history whose first call of a step has no signature. So if the first one is blocked, its signature
 * moves to the first remaining one.
 */
export class Removal {
  readonly #verdicts: ReadonlyMap<string, Verdict>;
  readonly #signatures: Map<CollectedCall, unknown>;
  readonly #noted = new Set<string>();
  readonly #notedCandidates = new Set<string>();

  /** `calls`: the calls decided now, in order. `before`: candidates of which the client already has a call. */
  constructor(calls: readonly CollectedCall[], verdicts: readonly Verdict[], before: ReadonlySet<string> = new Set()) {
    this.#verdicts = new Map(verdicts.filter((verdict) => verdict.blocked).map((verdict) => [verdict.key, verdict]));
    this.#signatures = new Map();
    const candidates = new Set(calls.map((call) => call.candidate));
    for (const candidate of candidates) {
      if (before.has(candidate)) continue;
      const own = calls.filter((call) => call.candidate === candidate);
      const heir = own.find((call) => !this.#verdicts.has(call.key));
      const signed = own.find((call) => this.#verdicts.has(call.key) && call.signature !== undefined);
      if (heir && heir.signature === undefined && signed) this.#signatures.set(heir, signed.signature);
    }
  }

  /** Edits a payload in place. False if nothing is left in it that a client needs. */
  apply(read: ReadPayload, marks: Marks): boolean {
    let left = read.candidates.length === 0;
    for (const [position, candidate] of read.candidates.entries()) {
      const kept = this.#editCandidate(candidate, marks[position] ?? []);
      left ||= kept || candidate.finish !== undefined;
    }
    return left;
  }

  #editCandidate(read: ReadCandidate, calls: readonly (CollectedCall | undefined)[]): boolean {
    if (!read.content) return true;
    const parts = read.parts.flatMap(({ part }, place) => this.#editPart(part, calls[place]));
    // The SDK's chat treats a reply without parts as failed. Gemini itself ends a stream like this.
    read.content.parts = parts.length > 0 ? parts : [{ text: '' }];
    return parts.length > 0;
  }

  #editPart(part: JsonObject, call: CollectedCall | undefined): JsonObject[] {
    if (!call) return [part];
    const verdict = this.#verdicts.get(call.key);
    if (!verdict) {
      const signature = this.#signatures.get(call);
      this.#signatures.delete(call);
      return [signature === undefined ? part : { ...part, thoughtSignature: signature }];
    }
    const rest = Object.entries(part).filter(
      ([key]) => foldName(key) !== 'functioncall' && foldName(key) !== SIGNATURE,
    );
    const edited: JsonObject[] = rest.some(([key]) => CONTENT.has(foldName(key))) ? [Object.fromEntries(rest)] : [];
    if (!this.#noted.has(call.key)) {
      edited.push({ text: (this.#notedCandidates.has(call.candidate) ? '\n\n' : '') + verdict.note });
      this.#noted.add(call.key);
      this.#notedCandidates.add(call.candidate);
    }
    return edited;
  }
}
