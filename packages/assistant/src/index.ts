// The public surface, listed by hand: an export added here becomes API.
export type { AssistantEvent, FlowUpdate, Outcome, TurnEnd, TurnQuestion, TurnUsage } from './events.ts';
export { isEnd } from './events.ts';
export { type Evidence, evidenceOf, onlyProposed, statusLine } from './evidence.ts';
export { hideSecrets, isShownAs } from './hide-secrets.ts';
export { proposesMark } from './refuse-secrets.ts';
export { type LandMode, landEdit, whyNoAdd } from './land-flow.ts';
export { type ComponentValues, noComponent, readParams, type Refused, valuesFor } from './component-values.ts';
export { edgesBetween, newComponent, noEdges, orphansOf } from './flow-parts.ts';
export { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from './continuations.ts';
export { HISTORY } from './prompt.ts';
export { runTurn } from './run-turn.ts';
export { describeComponent, searchComponents } from './tools/discovery-tools.ts';
export {
  changesOfTurns,
  clientOfTurn,
  type TurnOfFiles,
  turnOfClient,
  undoneFilesOf,
  undoneText,
} from './turn-files.ts';
export { fieldValues } from './tools/read-tools.ts';
export { describeEffects, outsideEffects } from './tools/run-tools.ts';
export type {
  Canvas,
  CanvasState,
  ComponentWriter,
  FlowRunEnd,
  FlowRuns,
  LatestRun,
  FlowTemplate,
  GeneratedComponent,
  PastTurn,
  StartedRun,
  Turn,
  TurnLimits,
  UndoneFile,
  UndoneFiles,
} from './turn.ts';
