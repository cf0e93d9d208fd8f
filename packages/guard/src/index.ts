export type { Decision, ObservedCall, PathVerdict, RuleName } from './decision.ts';
export type { Policy } from './policy/policy.ts';
export { createJudge, judgeToolCall } from './judge/judge.ts';
export type { Judge } from './judge/judge.ts';
export { openPlace } from './judge/place.ts';
export type { Place, Spot } from './judge/spot.ts';
export { GuardConfigError } from './policy/guard-config-error.ts';
export type { ConfigPlace } from './policy/guard-config-error.ts';
export { answerHook, HOOK_AGENTS, HOOK_EVENTS, sayRefusal } from './hook.ts';
export type { HookAgent, HookAnswer, HookedCall, HookJudge } from './hook.ts';
export { defaultPolicy } from './policy/default-policy.ts';
export { loadPolicy } from './policy/load-policy.ts';
export type { LoadedPolicy, PolicyFlags, PolicyInput, PolicySource } from './policy/load-policy.ts';
export { alsoTightened, policyFor } from './policy/policy-for.ts';
export type { ConfiguredPolicy, PolicySubject } from './policy/policy-for.ts';
export { placeFrom } from './judge/place-from.ts';
export { detectRoot, isUsableRoot, parentRoots } from './policy/project-root.ts';
export { readJson } from './judge/read-arguments.ts';
export { refusalResult } from './refusal.ts';
export { Stop } from './judge/stop.ts';
export { newDecisions, readDecisions } from './decisions/read-decisions.ts';
export { createDecisionLog } from './decisions/decisions.ts';
export type { DecisionFilter, DecisionLog, DecisionLogOptions } from './decisions/decisions.ts';
export type { DecisionContext, DecisionRecord } from './decisions/decision-record.ts';
export { answerDecisions, createDecisionRoutes, guardHealth } from './decisions/decision-routes.ts';
export type {
  DecisionRouteParts,
  DecisionRoutes,
  GuardFacts,
  GuardRequest,
  GuardResponse,
} from './decisions/decision-routes.ts';
export { createPageKeys, makePageCode, makePageSecret } from './decisions/page-key.ts';
export { foreignRequest, isFromBrowser, LOOPBACK_NAMES } from './decisions/own-host.ts';
export { startLines, toReaction, toViolation, violationLine } from './decisions/violation.ts';
export type { Reaction, Violation } from './decisions/violation.ts';
export { openMcpAdapter } from './mcp/mcp-adapter.ts';
export type { McpAdapter, McpAdapterEnd, McpAdapterOptions } from './mcp/mcp-adapter.ts';
export { thisTurn } from './proxy/end-of-turn.ts';
export { openJudge } from './judge/open-judge.ts';
export { findGuardConfig, offNotice } from './policy/find-config.ts';
export type { GuardConfig } from './policy/find-config.ts';
export { openGuard } from './proxy/open-guard.ts';
export type { BlockedCall, GuardOptions, OpenGuard } from './proxy/open-guard.ts';
export { existingDir, parseKeyRoot, parsePattern, parseUpstream } from './proxy/parse-values.ts';
export { createGuardProxy } from './proxy/proxy.ts';
export type { GuardProxyOptions, RefusedRequest } from './proxy/proxy.ts';
export type { DecisionEvent } from './proxy/exchange.ts';
export type { GuardedRequest, RequestJudge } from './proxy/guarded-request.ts';
export { ROOT_HEADER } from './proxy/upstream.ts';
export type { Upstream } from './proxy/upstream.ts';
export { openMcpHttpAdapter } from './mcp/mcp-http-adapter.ts';
export type { McpHttpAdapter, McpHttpAdapterOptions } from './mcp/mcp-http-adapter.ts';
export { makePrivateTemporary, privateTemporary } from './policy/private-temporary.ts';
