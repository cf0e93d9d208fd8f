import type { ToolResult } from '@croft/tools';
import type { CallEnd, CallEnded } from '../pending-calls.ts';

const ended = new WeakSet<ToolResult>();

/** The result of a call that ended without a response. `data.reason` is for programs, the sentence for a model. */
export function endedResult({ ended: end, mayHaveRun }: CallEnded, timeoutMs: number): ToolResult {
  const [happened, advice] = SENTENCES[end](timeoutMs);
  const error = mayHaveRun ? `${happened}. ${MAY_HAVE_RUN}` : [happened, advice].filter(Boolean).join('. ');
  const result: ToolResult = { ok: false, data: { error, reason: end } };
  ended.add(result);
  return result;
}

/** Whether this result is the hub's own, for a call without a response. */
export function isEnded(result: ToolResult): boolean {
  return ended.has(result);
}

const MAY_HAVE_RUN = 'The call may have been carried out: check its effect before you repeat it';

/** The event, and the advice for a call that was not carried out or only reads. */
const SENTENCES: Readonly<Record<CallEnd, (timeoutMs: number) => readonly [string, string?]>> = {
  timeout: (timeoutMs) => [
    `The connected machine did not answer within ${timeoutMs / 1000} s`,
    'Ask for less at once, or try again',
  ],
  cancelled: () => ['The call was cancelled'],
  disconnected: () => ['The machine was disconnected while the call was under way', 'Ask the user to connect it again'],
  superseded: () => [
    'A new connection, of this or another machine or directory, took the place of the one that had the call',
    'List its files first',
  ],
  closing: () => ['The server is closing', 'Try again in a moment'],
  busy: () => ['Too many calls wait for the connected machine', 'Wait for their results before making more'],
  not_connected: () => ['The machine is not connected right now', 'Ask the user to connect it again'],
};
