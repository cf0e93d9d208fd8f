// What judges one call, and nothing that serves: an agent starts the hook before every tool call, and a door that
// imported the whole package would load HTTP and the wires each time.
export type { Decision, ObservedCall, PathVerdict, RuleName } from './decision.ts';
export { GuardConfigError } from './guard-config-error.ts';
export { answerHook } from './hook.ts';
export type { HookAgent, HookAnswer, HookedCall } from './hook.ts';
export { createJudge } from './judge.ts';
export type { Judge } from './judge.ts';
export { loadPolicy, policyFor } from './load-policy.ts';
export type { ConfiguredPolicy, LoadedPolicy, PolicySubject } from './load-policy.ts';
export { openPlace } from './place.ts';
export { placeFrom } from './place-from.ts';
export { detectRoot, isUsableRoot } from './project-root.ts';
export { readJson } from './read-arguments.ts';
export { Stop } from './stop.ts';
export { appendDecision } from './append-decision.ts';
