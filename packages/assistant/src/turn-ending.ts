import { evidenceOf, statusLine } from './evidence.ts';
import type { AssistantEvent, Outcome, TurnEnd } from './events.ts';

/** Collects what the end of a turn reports: its events, its cost and its time. */
export class TurnEnding {
  readonly events: AssistantEvent[] = [];
  restorePoint: string | undefined;
  readonly #started = performance.now();
  #input = 0;
  #output = 0;

  /** Tokens need not be kept: nothing is derived from them. */
  add(event: AssistantEvent): void {
    if (event.event !== 'token') this.events.push(event);
  }

  count(inputTokens: number, outputTokens: number): void {
    this.#input += inputTokens;
    this.#output += outputTokens;
  }

  get totalTokens(): number {
    return this.#input + this.#output;
  }

  /** @param result how much of the message was carried out */
  end(result?: { readonly outcome: Outcome; readonly leftOut: readonly string[] }): TurnEnd {
    return {
      usage: { input_tokens: this.#input, output_tokens: this.#output, total_tokens: this.totalTokens },
      duration_seconds: Math.round(performance.now() - this.#started) / 1_000,
      status_line: statusLine({ ...evidenceOf(this.events), ...result }),
      ...(this.restorePoint !== undefined && { restore_point_id: this.restorePoint }),
    };
  }
}

/** The receiver of the events of a turn, and its stop. */
export interface TurnOutput {
  readonly stop: AbortController;
  readonly ending: TurnEnding;
  emit(event: AssistantEvent): void;
}
