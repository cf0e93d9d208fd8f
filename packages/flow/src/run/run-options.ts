import type { Outputs } from '../component.ts';
import type { ComponentRegistry } from '../registry.ts';
import type { StepRunner } from './run-node.ts';

/** Outputs of earlier runs, whole. */
export interface StoredOutputs {
  /** Whether this node's outputs are asked for and kept. Those of all nodes are, unless given. */
  keeps?(node: string): boolean;
  /** The outputs for exactly these inputs; undefined where nothing is stored. `hash` also covers the node's type and code. */
  find(node: string, hash: string): Outputs | undefined | Promise<Outputs | undefined>;
  /** Called for each node that computed its outputs. */
  keep(node: string, hash: string, outputs: Outputs): void | Promise<void>;
}

export interface RunOptions<Services> {
  readonly registry: ComponentRegistry<Services>;
  readonly services: Services;
  /** Values for nodes at the flow's boundary, by node id and then field. */
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly signal?: AbortSignal;
  /** Of the whole run; two minutes unless given. `Infinity` for a run that may wait for a person. */
  readonly timeoutMs?: number;
  /** Time that components get to end after the run was stopped; one second unless given. Then the run ends without them. */
  readonly graceMs?: number;
  /** Identifies the run in step keys. */
  readonly runId?: string;
  /** Needed for frozen nodes and for `from` and `until`. */
  readonly stored?: StoredOutputs;
  /** Runs this node and what follows again; earlier nodes give their stored outputs. */
  readonly from?: string;
  /** Runs what leads to this node, and the node, and nothing else. */
  readonly until?: string;
  /** Runs nodes with effects; a durable run puts its checkpoints here. */
  readonly step?: StepRunner;
  /** Asynchronous nodes under way at once; 64 unless given. */
  readonly maxParallel?: number;
  /** Texts that no event may contain. */
  readonly secrets?: ReadonlySet<string>;
}
