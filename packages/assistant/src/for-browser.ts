// The part of the assistant for pages: no model, no tools, nothing of Node.
export type { AssistantEvent, FlowUpdate, ProgressStep, TurnEnd, TurnQuestion, TurnUsage } from './events.ts';
export { isEnd } from './events.ts';
export { type Evidence, evidenceOf, statusLine } from './evidence.ts';
