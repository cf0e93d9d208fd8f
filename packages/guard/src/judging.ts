// The part of the package that judges one call, without servers. An agent starts the hook before every tool call, and
// importing the whole package would load HTTP and the wire formats each time.
export type { Decision, ObservedCall, PathVerdict, RuleName } from './decision.ts';
export { GuardConfigError } from './policy/guard-config-error.ts';
export { answerHook } from './hook.ts';
export type { HookAgent, HookAnswer, HookedCall } from './hook.ts';
export { createJudge } from './judge/judge.ts';
export type { Judge } from './judge/judge.ts';
export { loadPolicy } from './policy/load-policy.ts';
export type { LoadedPolicy, PolicyText } from './policy/load-policy.ts';
export { alsoTightened, policyFor } from './policy/policy-for.ts';
export type { ConfiguredPolicy, PolicySubject } from './policy/policy-for.ts';
export { openPlace } from './judge/place.ts';
export { placeFrom } from './judge/place-from.ts';
export { detectRoot, isUsableRoot } from './policy/project-root.ts';
export { readJson } from './judge/read-arguments.ts';
export { Stop } from './judge/stop.ts';
export { toReaction } from './decisions/violation.ts';
export { appendDecision } from './decisions/append-decision.ts';
export { makePrivateTemporary, privateTemporary } from './policy/private-temporary.ts';
