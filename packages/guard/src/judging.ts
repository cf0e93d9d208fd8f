// The part of the package that judges one call, without servers. An agent starts the hook before every tool call, and
// importing the whole package would load HTTP and the wire formats each time.
export type { Decision, ObservedCall, PathVerdict, RuleName } from './decision.ts';
export { GuardConfigError } from './policy/guard-config-error.ts';
export { answerHook } from './hook.ts';
export type { HookAgent, HookAnswer, HookedCall } from './hook.ts';
export { openJudge } from './judge/open-judge.ts';
export type { OpenJudge } from './judge/open-judge.ts';
export { findGuardConfig, offNotice } from './policy/find-config.ts';
export type { ConfigSources, GuardConfig } from './policy/find-config.ts';
export { policyFor } from './policy/policy-for.ts';
export { detectRoot, isUsableRoot } from './policy/project-root.ts';
export { readJson } from './judge/read-arguments.ts';
export { Stop } from './judge/stop.ts';
export { toReaction } from './decisions/violation.ts';
export { appendDecision } from './decisions/append-decision.ts';
export { makePrivateTemporary, privateTemporary } from './policy/private-temporary.ts';
