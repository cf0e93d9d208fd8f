import type { Decision, ObservedCall } from '../decision.ts';
import { refusalResult } from '../refusal.ts';
import { type AnswerTo, type ClientLine, readClientLine } from './client-line.ts';
import type { DroppedLine } from './line-cutter.ts';

/** The result of filtering one line of the client. */
export interface FilteredLine {
  /** Bytes to forward to the server. */
  readonly forward?: Buffer;
  /** Complete lines to send back to the client. */
  readonly answer?: string;
}

/** The dependencies of the filter. */
export interface McpFilterOptions {
  readonly judge: (call: ObservedCall) => Decision;
  /** `off`: nothing is judged and every byte passes. */
  readonly mode: 'enforce' | 'dry-run' | 'off';
  /**
   * Called for every decision. `caller` is the name that the client gave itself. `isDropped`: the message passes in no mode,
   * because its bytes were not kept.
   */
  readonly onDecision?: (decision: Decision, tool: string, caller: string | undefined, isDropped?: boolean) => void;
}

/** Filters the lines of one client. */
export interface McpFilter {
  line(line: Buffer): FilteredLine;
  tooLarge(dropped: DroppedLine): FilteredLine;
}

const INTERNAL_ERROR = -32_603;
const FAILURE: Decision = {
  decision: 'block',
  rule: 'failure',
  reason: 'The guard failed while it judged this call, so the call is not let through',
  paths: [],
  accepted: '',
};

/**
 * Judges the tool calls in a client's lines. The filter answers a blocked call with a tool error that the model reads,
 * and the server never sees the call; every other message is forwarded unchanged. Never throws: a message on which it
 * fails is not forwarded.
 */
export function createMcpFilter({ judge, mode, onDecision }: McpFilterOptions): McpFilter {
  let caller: string | undefined;
  const tell: NonNullable<typeof onDecision> = (...decided) => {
    try {
      onDecision?.(...decided);
    } catch {
      // A failing log does not change the decision.
    }
  };
  const decide = (read: Extract<ClientLine, { kind: 'call' }>): Decision => {
    if (read.fault) return faulty(read.fault.rule, read.fault.reason);
    try {
      const decision: Decision | undefined = judge(read.call);
      return decision?.decision === 'allow' || decision?.decision === 'block' ? decision : FAILURE;
    } catch {
      return FAILURE;
    }
  };
  const handle = (line: Buffer): FilteredLine => {
    const read = readClientLine(line);
    switch (read.kind) {
      case 'pass':
        caller = read.caller ?? caller;
        return { forward: read.bytes };
      case 'refuse':
        tell(faulty('ambiguous-arguments', read.message), '', caller);
        if (mode === 'dry-run') return { forward: line };
        return { answer: (read.ids.length > 0 ? read.ids : ['null']).map((id) => errorLine(id, read)).join('') };
      case 'call': {
        const decision = decide(read);
        tell(decision, read.call.name, read.caller ?? caller);
        if (decision.decision === 'allow' || mode === 'dry-run') return { forward: read.bytes };
        return refusal(read.answer, read.call.name, decision);
      }
    }
  };
  return {
    line(line) {
      if (mode === 'off') return { forward: line };
      try {
        return handle(line);
      } catch {
        return { answer: errorLine('null', { code: INTERNAL_ERROR, message: 'The guard failed on this message' }) };
      }
    },
    tooLarge({ id }) {
      const decision = faulty('too-large', 'The message is too large to be checked', 'Send less at once.');
      tell(decision, '', caller, true);
      // The message may have been a call of any kind; every client understands an error.
      return id === undefined ? {} : { answer: errorLine(id, { code: -32_600, message: refusalResult('', decision) }) };
    },
  };
}

function faulty(
  rule: 'ambiguous-arguments' | 'invalid-arguments' | 'too-large',
  reason: string,
  accepted = 'Send one call with one name and one JSON object of arguments.',
): Decision {
  return { decision: 'block', rule, reason, accepted, paths: [] };
}

function refusal({ id, isModern }: AnswerTo, name: string, decision: Decision): FilteredLine {
  if (id === undefined) return {};
  const result = {
    content: [{ type: 'text', text: refusalResult(name, decision) }],
    isError: true,
    // Required since protocol revision 2026-07-28, unknown before.
    ...(isModern && { resultType: 'complete' }),
  };
  return { answer: `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}\n` };
}

function errorLine(id: string, { code, message }: { readonly code: number; readonly message: string }): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}\n`;
}
