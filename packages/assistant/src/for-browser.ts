// The part of the assistant for pages: no model, no tools, nothing of Node.
export { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from './continuations.ts';
export type { AssistantEvent, FlowUpdate, Outcome, ProgressStep, TurnEnd, TurnQuestion, TurnUsage } from './events.ts';
export { isEnd } from './events.ts';
export { type Evidence, evidenceOf, statusLine } from './evidence.ts';
export { type LandMode, landEdit, whyNoAdd } from './land-flow.ts';
export { repeatsResult } from './repeats-result.ts';
export { endedText } from './ended-text.ts';
