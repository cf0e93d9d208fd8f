export type { Decision, ObservedCall, PathVerdict, RuleName } from './decision.ts';
export type { Policy } from './policy.ts';
export { createJudge, judgeToolCall } from './judge.ts';
export type { Judge } from './judge.ts';
export { openPlace } from './place.ts';
export type { Place, Spot } from './spot.ts';
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
export { createDecisionLog } from './decisions.ts';
export type { DecisionFilter, DecisionLog, DecisionLogOptions } from './decisions.ts';
export type { DecisionContext, DecisionRecord } from './decision-record.ts';
export { answerDecisions, createDecisionRoutes, guardHealth } from './decision-routes.ts';
export type { DecisionRoutes, GuardFacts, GuardRequest, GuardResponse } from './decision-routes.ts';
export { createPageKeys } from './page-key.ts';
export { foreignRequest, isFromBrowser, LOOPBACK_NAMES } from './own-host.ts';
export { startLines, toViolation, violationLine } from './violation.ts';
export type { Violation } from './violation.ts';
export { openMcpDoor } from './mcp/mcp-door.ts';
export type { McpDoor, McpDoorEnd, McpDoorOptions } from './mcp/mcp-door.ts';
export { createGuardProxy } from './proxy.ts';
export type { GuardProxyOptions } from './proxy.ts';
export type { DecisionEvent, GuardedRequest, RequestJudge } from './exchange.ts';
export { ROOT_HEADER } from './upstream.ts';
export type { Upstream } from './upstream.ts';
export { openMcpHttpDoor } from './mcp/mcp-http-door.ts';
export type { McpHttpDoor, McpHttpDoorOptions } from './mcp/mcp-http-door.ts';
