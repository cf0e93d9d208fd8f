import type { SeenCall, Verdict } from '../wire.ts';
import { type BlockCall, readingsOf } from './blocks.ts';

/** The received part of one call of a streamed message. */
export interface StreamedCall {
  readonly key: string;
  readonly started: BlockCall;
  deltas: string;
  fault: SeenCall['fault'];
  state: 'open' | 'complete' | 'judging' | 'kept' | 'refused';
  note: string;
}

/** The calls of one streamed message, and how many are in which state. */
export class StreamedCalls {
  readonly #calls: StreamedCall[] = [];
  /** Calls without an end. */
  open = 0;
  /** Calls without a verdict. */
  unsettled = 0;
  kept = 0;
  refused = 0;

  begin(index: number, started: BlockCall): StreamedCall {
    this.open++;
    this.unsettled++;
    const call: StreamedCall = { key: String(index), started, deltas: '', fault: undefined, state: 'open', note: '' };
    this.#calls.push(call);
    return call;
  }

  complete(call: StreamedCall): void {
    call.state = 'complete';
    this.open--;
  }

  /** Completes all calls, because the message ends. */
  completeAll(): void {
    if (this.open === 0) return;
    for (const call of this.#calls) if (call.state === 'open') this.complete(call);
  }

  /** The calls that became complete since the last call of this method. */
  seen(): SeenCall[] {
    const seen: SeenCall[] = [];
    for (const call of this.#calls) {
      if (call.state !== 'complete') continue;
      call.state = 'judging';
      const readings = readingsOf(call.started, call.deltas);
      seen.push({ key: call.key, readings, ...(call.fault && { fault: call.fault }) });
    }
    return seen;
  }

  /** Applies verdicts. A call without a verdict is refused. */
  settle(verdicts: readonly Verdict[]): void {
    if (this.unsettled === 0) return;
    for (const call of this.#calls) {
      if (call.state === 'kept' || call.state === 'refused') continue;
      const verdict = verdicts.find(({ key }) => key === call.key);
      call.state = verdict && !verdict.blocked ? 'kept' : 'refused';
      call.note = verdict?.note ?? 'A tool call was refused and not run.';
      this.unsettled--;
      if (call.state === 'kept') this.kept++;
      else this.refused++;
    }
  }
}

/** Whether the input received so far is complete JSON, or none. */
export function isWhole(deltas: string): boolean {
  if (deltas.trim() === '') return true;
  try {
    JSON.parse(deltas);
    return true;
  } catch {
    return false;
  }
}
