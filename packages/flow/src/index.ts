export { applyEdit, applyEdits } from './apply-edit.ts';
export type { Applied } from './edit-graph.ts';
export type {
  Component,
  Descriptor,
  Effect,
  Field,
  FieldKind,
  FlowTool,
  NodeCall,
  NodeRun,
  Output,
  Outputs,
  Progress,
} from './component.ts';
export { checkConnection, connectPorts, type ConnectionCheck } from './connect.ts';
export {
  contentOf,
  DOCUMENT_VERSION,
  edgeKey,
  emptyFlow,
  nodesById,
  type FlowContent,
  type FlowDocument,
  type FlowEdge,
  type FlowGroup,
  type FlowNode,
  type FlowNote,
  type Json,
  type PortRef,
  type Position,
  type RunOptions,
} from './document.ts';
export {
  changedParts,
  clashesOf,
  singleEdits,
  targetsOf,
  withoutEqual,
  withoutLooseEdges,
  withoutParts,
  type ChangedParts,
  type Clash,
} from './edit-targets.ts';
export { editSchema, type Edit, type EditKind } from './edits.ts';
export { FlowError, type FlowErrorCode, type FlowPlace } from './errors.ts';
export { importLangflow, type LangflowImport } from './langflow/import-langflow.ts';
export { isLangflowExport } from './langflow/read-export.ts';
export { LIMITS } from './limits.ts';
export {
  ERROR_OUTPUT,
  fieldVariables,
  isRequired,
  isShown,
  isToolCapable,
  portsOf,
  takesVariables,
  TOOL_OUTPUT,
  type InputPort,
  type NodePorts,
} from './node-ports.ts';
export { inTurns, type Parts } from './parts.ts';
export { canonicalNode, parseFlow, parseFlowInParts, printFlow } from './parse-flow.ts';
export { converterFor, PORT_TYPES, portTypeOf, typesFit, type Converter, type PortType } from './port-types.ts';
export { redactFlow, type RedactOptions, type RemovedSecret } from './redact-flow.ts';
export { asSentence, shortLine } from './sentence.ts';
export { replacePrivateKeys, replaceSignedTokens } from './secret-shapes.ts';
export { createRegistry, type ComponentRegistry, type Registry, nodeTitle } from './registry.ts';
export { isValueType, schemaFault, type ValueSchema } from './value-schema.ts';
export { fillVariables, tableOf, textBeginning, textOf, variableParts, variablesIn } from './variables.ts';
export { callKey } from './run/call-key.ts';
export type { Failure, Metrics, RunEvent, RunPath, RunStatus, Tokens } from './run/events.ts';
export { isLongJson } from './json-text.ts';
export { isPlain } from './run/is-plain.ts';
export { withLogLine } from './run/log-lines.ts';
export { nextTurn } from './run/next-turn.ts';
export { planRun, type Plan } from './run/plan.ts';
export { endOutside, previewOf, redactText } from './run/preview.ts';
export { begunAtEnd, replaceTexts } from './run/text-search.ts';
export {
  DEFAULT_RUN_TIMEOUT_MS,
  runFlow,
  runToEnd,
  type RunResult,
} from './run/run-flow.ts';
export type { Step, StepRunner } from './run/run-node.ts';
export { validateFlow, validateFlowInParts, validateNodes, type Finding } from './validate.ts';
export { wrongValue } from './wrong-value.ts';
export type { RunOptions as RunFlowOptions, StoredOutputs } from './run/run-options.ts';
export { delimiterOf } from './delimiter.ts';
export { describeFlowIo, type FlowIo } from './describe-io.ts';
export { layoutEdit, layoutFlow } from './layout.ts';
export { mergeEdit } from './merge.ts';
export { freshNodeId, newNodeId } from './node-id.ts';
export { proposeFieldEdit, type FieldProposal, type PatchOperation } from './propose-edit.ts';
export { buildFromSpec, buildFromSpecInParts, type BuildResult, valuesByNode } from './spec/build-from-spec.ts';
export { isSpecText, parseSpec, parseSpecInParts, type FlowSpec } from './spec/parse-spec.ts';
export { SPEC_HELP } from './spec/spec-help.ts';
export { printSpec, specOf, summariseFlow } from './spec/print-spec.ts';
export { drawFlow } from './draw.ts';
