import type { Decision, ObservedCall, RuleName } from '../decision.ts';
import { NOT_EXECUTED, refusalNote, refusalResult } from '../refusal.ts';
import type { SeenCall, Verdict } from '../wire/wire.ts';

/** Decides one call. An exception blocks it. */
export type JudgeCall = (call: ObservedCall) => Decision;

/**
 * Returns a verdict for every call: the worst of its readings decides. Never throws: an exception from the judge, or an
 * invalid result, blocks with rule `failure`. Without `enforce` (dry-run) no call is `blocked`.
 */
export function judgeCalls(calls: readonly SeenCall[], judge: JudgeCall, enforce: boolean): Verdict[] {
  return calls.map((call) => {
    const name = call.readings[0]?.name ?? '';
    return verdictOf(call.key, name, decide(call, judge), enforce);
  });
}

/** The verdict on a call that was too large to keep. */
export function tooLargeVerdict(enforce: boolean): Verdict {
  return verdictOf('too-large', '', FAULTS['too-large'], enforce);
}

function verdictOf(key: string, name: string, decision: Decision, enforce: boolean): Verdict {
  const refused = decision.decision !== 'allow';
  return {
    key,
    name,
    decision,
    blocked: refused && enforce,
    result: refused ? refusalResult(name, decision) : NOT_EXECUTED,
    note: refused ? refusalNote(name, decision) : '',
  };
}

function decide(call: SeenCall, judge: JudgeCall): Decision {
  if (call.fault) return FAULTS[call.fault];
  let worst: Decision | undefined;
  for (const reading of call.readings) {
    const decision = ask(reading, judge);
    if (decision.decision !== 'allow') return decision;
    if (!worst || (decision.undecidable && !worst.undecidable)) worst = decision;
  }
  return worst ?? FAULTS['ambiguous-arguments'];
}

function ask(reading: ObservedCall, judge: JudgeCall): Decision {
  try {
    const decision: Decision | undefined = judge(reading);
    return decision?.decision === 'allow' || decision?.decision === 'block' ? decision : FAILURE;
  } catch {
    return FAILURE;
  }
}

const FAILURE = block('failure', 'The guard failed while it judged this call, so the call is not let through', '');

const FAULTS = {
  'ambiguous-arguments': block(
    'ambiguous-arguments',
    'The call can be read in more than one way',
    'Send one call with one name and one JSON object.',
  ),
  'invalid-arguments': block(
    'invalid-arguments',
    'The arguments of the call are not valid JSON',
    'Send the arguments as one complete JSON object.',
  ),
  'too-large': block('too-large', 'The call is too large to be checked', 'Write the content in several smaller calls.'),
};

function block(rule: RuleName, reason: string, accepted: string): Decision {
  return { decision: 'block', rule, reason, accepted, paths: [] };
}
