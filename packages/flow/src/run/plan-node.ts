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

/** A node with everything a run asks of it. */
export interface PlanNode<Services> {
  readonly index: number;
  readonly node: FlowNode;
  readonly component: Component<Services>;
  readonly fields: readonly Field[];
  readonly inputs: ReadonlyMap<string, InputPort>;
  /** Inputs that a variable in a text makes. */
  readonly variableInputs: readonly InputPort[];
  readonly outputs: readonly Output[];
  readonly incoming: readonly PlanEdge[];
  readonly outgoing: readonly PlanEdge[];
  /** Outputs that are read: those with an edge, and the selected one; all where there is neither. */
  readonly wanted: ReadonlySet<string>;
  /** Fields whose values no event may show. */
  readonly secretFields: readonly string[];
}
