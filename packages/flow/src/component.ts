import type { Json } from './document.ts';
import type { PortType } from './port-types.ts';
import type { ValueSchema } from './value-schema.ts';

/** How an inspector shows a field and what its value is. */
export type FieldKind =
  | 'text'
  | 'multiline'
  | 'number'
  | 'integer'
  | 'slider'
  | 'switch'
  | 'select'
  | 'multiselect'
  | 'key-value'
  | 'table'
  | 'json'
  | 'code'
  | 'file'
  | 'model'
  | 'embedding-model'
  | 'secret'
  | 'flow'
  | 'handle';

/** A field of a component: a value in the inspector, an input port, or both. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly help?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Hidden until the reader asks for all fields. */
  readonly advanced?: boolean;
  readonly default?: Json;
  /** Types an edge may bring. Absent or empty: not connectable. */
  readonly accepts?: readonly PortType[];
  /** The canvas draws the port only while an edge ends there. The dialog that connects components lists it always. */
  readonly portWhenConnected?: boolean;
  /** Takes several edges; the node gets a list. */
  readonly list?: boolean;
  /** With `list`: a list that one edge brings stays one value. Otherwise the lists of all edges become one list. */
  readonly keepsLists?: boolean;
  /** Holds the node back until a value comes, and prunes it where the branch is not taken. The value itself is not used. */
  readonly gate?: boolean;
  readonly options?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Columns of a `table` field. */
  readonly columns?: readonly {
    readonly name: string;
    readonly label: string;
    readonly kind: 'text' | 'switch' | 'select';
    readonly options?: readonly string[];
  }[];
  /** The form of the value of a `json` field. */
  readonly schema?: ValueSchema;
  /** Of a `code` field. */
  readonly language?: 'typescript' | 'json' | 'sql' | 'markdown';
  /** Shown, and required, only while another field has one of these values. */
  readonly showWhen?: { readonly field: string; readonly is: readonly Json[] };
  /** Required only while another field has one of these values. Shown in any case. */
  readonly requiredWhen?: Field['showWhen'];
  /** A model fills it in when the component is used as a tool. */
  readonly toolParameter?: boolean;
  /**
   * Whether `{name}` in the text makes an input port. True for `text` and `multiline` unless said otherwise; false where
   * braces mean something else to the component.
   */
  readonly variables?: boolean;
}

/** A result of a component, by name. */
export interface Output {
  readonly name: string;
  readonly label: string;
  readonly types: readonly PortType[];
  readonly help?: string;
  /** One of several branches: a run that leaves it out prunes what hangs on it. */
  readonly branch?: boolean;
  /** The output of a loop at which an edge may end, bringing the result of one round back. */
  readonly loop?: boolean;
  readonly showWhen?: Field['showWhen'];
}

/** Changes or costs outside of the run's memory. `none` is recomputed on resume; all others are steps. */
export type Effect =
  | 'none'
  | 'model'
  | 'network-read'
  | 'network-write'
  | 'workspace-read'
  | 'workspace-write'
  | 'database-read'
  | 'database-write'
  | 'code'
  | 'wait';

/** Everything an inspector, a palette and a model need to know of a component. Plain JSON. */
export interface Descriptor {
  readonly type: string;
  readonly label: string;
  readonly description: string;
  readonly category: string;
  readonly icon?: string;
  readonly keywords?: readonly string[];
  /** Names of the same component in other builders and older documents. */
  readonly aliases?: readonly string[];
  readonly fields: readonly Field[];
  readonly outputs: readonly Output[];
  /** Outputs before the others, one for each row of a table field. `{n}` in name and label is the row's number, from 1. */
  readonly rowOutputs?: {
    readonly field: string;
    /** The column whose text is the label, where it is not empty. */
    readonly column: string;
    readonly output: Output;
  };
  readonly effects: readonly Effect[];
  /** Where the flow takes its input or gives its result: defines the flow's own ports. */
  readonly boundary?: 'input' | 'output' | 'trigger';
  /**
   * `loop`: `run` gives a list under the looping output; the engine runs the body once for each item, and gives the other
   * outputs the list of results. `router`: may be part of a cycle, and ends it after `max_iterations` rounds. `flow`:
   * runs another flow, and declares every effect that it may have.
   */
  readonly control?: 'loop' | 'router' | 'flow';
  /** Whether the component can be given to an agent as a tool. */
  readonly tool?: boolean;
  readonly legacy?: boolean;
  readonly beta?: boolean;
}

/** News of a component while it runs. */
export type Progress =
  | { readonly kind: 'token'; readonly text: string }
  | { readonly kind: 'progress'; readonly done: number; readonly total?: number; readonly text?: string }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'usage'; readonly model: string; readonly inputTokens: number; readonly outputTokens: number };

/** The outputs of one run of a node by name. An output that is left out prunes what hangs on it. */
export type Outputs = Readonly<Record<string, unknown>>;

/** One run of one node. */
export interface NodeCall<Services> {
  readonly nodeId: string;
  /** Fields by name: the edge's value where one is connected, else the inspector's, else the default. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the fields that got their value from an edge. */
  readonly connected: ReadonlySet<string>;
  /** Names of the outputs that anything is connected to, or that are looked at. */
  readonly wanted: ReadonlySet<string>;
  readonly services: Services;
  readonly signal: AbortSignal;
  /** Rounds of the innermost cycle before this one. Rows of a loop do not count. */
  readonly round: number;
  /** The same for every attempt of the same step: an idempotency key for outside systems. */
  readonly stepKey: string;
  /** Source of a user's component. */
  readonly code: string | undefined;
}

/** A function that an agent can call: a component in tool mode gives one or several. */
export interface FlowTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters: { readonly [key: string]: Json };
  /** Whether a call changes nothing outside the run. */
  readonly readOnly: boolean;
  /**
   * @param report takes what the component reports, such as its tokens: they belong to the node that calls the tool
   * @throws what the component throws; the caller shows the message to the model
   */
  call(
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    report?: (progress: Progress) => void,
  ): Promise<unknown>;
}

/** A node's run: its outputs at once, later, or after telling of its progress. */
export type NodeRun = Outputs | Promise<Outputs> | AsyncGenerator<Progress, Outputs, void>;

/** A kind of node. `Services` is what the app hands to a run: files, models, network. */
export interface Component<Services = unknown> {
  readonly descriptor: Descriptor;
  /** Fields and outputs that depend on the values and on the node's own code, in place of the descriptor's. Pure and cheap. */
  ports?(
    values: Readonly<Record<string, Json>>,
    code?: string,
  ): {
    readonly fields?: readonly Field[];
    readonly outputs?: readonly Output[];
  };
  run(call: NodeCall<Services>): NodeRun;
  /** The tools of a node in tool mode, where they are not simply the component itself. */
  tools?(call: NodeCall<Services>): readonly FlowTool[] | Promise<readonly FlowTool[]>;
}
