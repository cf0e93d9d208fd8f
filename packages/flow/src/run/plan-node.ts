import type { Component, Field, Output } from '../component.ts';
import type { FlowNode } from '../document.ts';
import type { InputPort } from '../node-ports.ts';

/** An edge by the indexes of its ends. */
export interface PlanEdge {
  readonly index: number;
  readonly from: number;
  readonly fromPort: string;
  readonly to: number;
  readonly toPort: string;
  /** Ends at an output of a loop: brings the result of one round back. */
  readonly isFeedback: boolean;
}

/** A component with the ports of a node. Nodes whose values do not change their ports share one setup. */
export interface NodeSetup<Services> {
  readonly component: Component<Services>;
  readonly fields: readonly Field[];
  readonly inputs: ReadonlyMap<string, InputPort>;
  /** Whether a pruned input can prune the node although another brought a value. */
  readonly hasPruningInput: boolean;
  /** Inputs that a variable in a text makes. */
  readonly variableInputs: readonly InputPort[];
  readonly outputs: readonly Output[];
  readonly outputNames: ReadonlySet<string>;
  /** All names that `run` may give: the shown outputs, the hidden ones, and the error port. */
  readonly allowedOutputs: ReadonlySet<string>;
  /** For each input, the set of only this input: the connected inputs of most nodes. */
  readonly connectedOne: ReadonlyMap<string, ReadonlySet<string>>;
  /** Fields whose values no event may show. */
  readonly secretFields: readonly string[];
  readonly hasEffects: boolean;
}

/** A node with its edges and everything a run asks of it. Is a unit of a scope as it is. */
export interface PlanNode<Services> {
  readonly kind: 'node';
  readonly index: number;
  readonly node: FlowNode;
  readonly setup: NodeSetup<Services>;
  readonly incoming: readonly PlanEdge[];
  readonly outgoing: readonly PlanEdge[];
  /** Outputs that are read: those with an edge, and the selected one; all outputs if both are missing. */
  readonly wanted: ReadonlySet<string>;
}
