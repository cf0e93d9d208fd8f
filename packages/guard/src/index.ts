export type { Decision, ObservedCall, PathVerdict, RuleName } from './decision.ts';
export type { Policy } from './policy.ts';
export { createJudge, judgeToolCall } from './judge.ts';
export type { Judge } from './judge.ts';
export { openPlace } from './place.ts';
export type { Place, Spot } from './place.ts';
