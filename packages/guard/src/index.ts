export type { Decision, ObservedCall, PathVerdict, RuleName } from './decision.ts';
export type { Policy } from './policy.ts';
export { createJudge, judgeToolCall } from './judge.ts';
export type { Judge } from './judge.ts';
export { openPlace } from './place.ts';
export type { Place, Spot } from './place.ts';
export { GuardConfigError } from './guard-config-error.ts';
export type { ConfigPlace } from './guard-config-error.ts';
export { answerHook, HOOK_AGENTS, HOOK_EVENTS, sayRefusal } from './hook.ts';
export type { HookAgent, HookAnswer, HookedCall, HookJudge } from './hook.ts';
export { defaultPolicy, loadPolicy, policyFor } from './load-policy.ts';
export type {
  ConfiguredPolicy,
  LoadedPolicy,
  PolicyFlags,
  PolicyInput,
  PolicySource,
  PolicySubject,
} from './load-policy.ts';
export { placeFrom } from './place-from.ts';
export { detectRoot, isUsableRoot, parentRoots } from './project-root.ts';
export { readJson } from './read-arguments.ts';
export { Stop } from './stop.ts';
