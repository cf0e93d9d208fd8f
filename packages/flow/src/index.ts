export { applyEdit, applyEdits, type Applied } from './apply-edit.ts';
export type {
  Component,
  Descriptor,
  Effect,
  Field,
  FieldKind,
  NodeCall,
  NodeRun,
  Output,
  Outputs,
  Progress,
} from './component.ts';
export {
  canonicalNode,
  DOCUMENT_VERSION,
  edgeKey,
  emptyFlow,
  nodesById,
  parseFlow,
  printFlow,
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
export { editSchema, type Edit, type EditKind } from './edits.ts';
export { FlowError, type FlowErrorCode, type FlowPlace } from './errors.ts';
export { LIMITS } from './limits.ts';
export {
  ERROR_OUTPUT,
  fieldVariables,
  isShown,
  isToolCapable,
  portsOf,
  TOOL_OUTPUT,
  type InputPort,
  type NodePorts,
} from './node-ports.ts';
export { converterFor, PORT_TYPES, portTypeOf, typesFit, type Converter, type PortType } from './port-types.ts';
export { createRegistry, type ComponentRegistry, type Registry } from './registry.ts';
export { fillVariables, textOf, variablesIn } from './variables.ts';
