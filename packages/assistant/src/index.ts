// The public surface, listed by hand: an export added here becomes API.
export type { AssistantEvent, FlowUpdate, TurnEnd, TurnQuestion, TurnUsage } from './events.ts';
export { isEnd } from './events.ts';
export { type Evidence, evidenceOf, statusLine } from './evidence.ts';
export { hideSecrets } from './hide-secrets.ts';
export { type LandMode, landEdit, whyNoAdd } from './land-flow.ts';
export { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from './continuations.ts';
export { HISTORY } from './prompt.ts';
export { runTurn } from './run-turn.ts';
export type {
  Canvas,
  CanvasState,
  FlowRunEnd,
  FlowRuns,
  FlowTemplate,
  PastTurn,
  Turn,
  TurnLimits,
} from './turn.ts';
