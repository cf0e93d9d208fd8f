import type { Descriptor, Edit, FlowDocument, Registry } from '@croft/flow';
import type { ModelRef, Models } from '@croft/models';
import type { ToolTable } from '@croft/tools';
import type { TurnQuestion } from './events.ts';

/** The flow as it is stored now. */
export interface CanvasState {
  readonly flow: FlowDocument;
  /** Grows with each change, also of others. */
  readonly version: number;
}

/** The user's flow. Other clients may change it at any time. */
export interface Canvas {
  /** A built flow that runs takes the place of the flow that is there, instead of a place beside it. */
  readonly builtFlowReplaces?: boolean;
  read(): Promise<CanvasState>;
  /**
   * Stores edits as one change, all or none. They are applied to the flow as it is now; `base` is the version that the
   * edits were made for.
   *
   * @throws an error whose message a model may read, where the edits do not fit any more
   */
  edit(base: number, edits: readonly Edit[]): Promise<CanvasState>;
  /**
   * Stores edits only while the flow has version `base`: for edits that replace what they do not name. Undefined where
   * another client changed the flow.
   *
   * @throws as {@link edit}
   */
  editExactly(base: number, edits: readonly Edit[]): Promise<CanvasState | undefined>;
  /** Takes back the user's newest change, or all changes of their newest turn. @throws where there is none */
  undo(): Promise<CanvasState>;
  /** Keeps the present flow to come back to; gives the id. Called before the first change of a turn. */
  checkpoint(): Promise<string>;
}

/** The end of a run that the assistant started. Without secrets. */
export interface FlowRunEnd {
  readonly status: string;
  readonly text: string;
  readonly failure?: {
    readonly node?: string;
    readonly field?: string;
    readonly message: string;
    readonly fix?: string;
  };
  readonly metrics: {
    readonly duration_seconds: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
  };
}

/** The newest run of a flow. It may not have ended. */
export type LatestRun = Pick<FlowRunEnd, 'status' | 'text' | 'failure'>;

/** A run that has been started. */
export interface StartedRun {
  readonly id: string;
  readonly ended: Promise<FlowRunEnd>;
  cancel(): void;
}

/** Runs of the user's flow: ordinary runs with the user's files, variables and limits. */
export interface FlowRuns {
  /**
   * Starts a run of the stored flow while it has this version, which the user allowed. Undefined where it has another one.
   *
   * @throws an error whose message a model may read
   */
  start(message: string | undefined, version: number): Promise<StartedRun | undefined>;
  /** The inputs and outputs of each node; undefined for a run that is not the user's. */
  read(id: string): Promise<unknown>;
  /** The newest run of the flow by any client of the user; undefined where there is none. */
  latest(): Promise<LatestRun | undefined>;
}

/** A component that the assistant wrote, as the registry has it. */
export interface GeneratedComponent {
  readonly className: string;
  readonly entry: { readonly descriptor: Descriptor };
}

/** The user's own components. */
export interface ComponentWriter {
  /**
   * Reads a source, scans it, tries it in the sandbox, and keeps it for the conversation under the name of its class.
   *
   * @returns the component, or what is wrong with the source, each with its line and a fix
   * @throws an error whose message a model may read
   */
  generate(code: string, signal: AbortSignal): Promise<GeneratedComponent | { readonly problems: readonly string[] }>;
  /** Whether saving a generated component would replace one that the user saved. */
  replacesSaved(className: string): Promise<boolean>;
  /** Keeps a generated component for good. False where there is none with this name. */
  save(className: string): Promise<boolean>;
}

/** A flow to begin from. */
export interface FlowTemplate {
  readonly name: string;
  readonly description: string;
  readonly spec: string;
  /** A message with which it can be tried. */
  readonly input?: string | undefined;
  /** Files with which it can be tried. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/** One exchange of the same conversation. */
export interface PastTurn {
  readonly user: string;
  readonly assistant: string;
}

/** A file that an undo took back, or left as it is. */
export interface UndoneFile {
  readonly path: string;
  readonly reverted: boolean;
  /** Why it stays as it is. */
  readonly problem: string | null;
}

/** The undo of the files of one message. */
export interface UndoneFiles {
  /** The turn that wrote the files. */
  readonly turnId: string;
  readonly files: readonly UndoneFile[];
  /** The newest change of the canvas is of the same message. */
  readonly withCanvas: boolean;
}

/** Bounds of one turn. */
export interface TurnLimits {
  /** Replies of the model. 100 unless given. */
  readonly steps?: number | undefined;
  /** Tokens of all requests together; without a bound unless given. */
  readonly tokens?: number | undefined;
  /** Repetitions after a reply without an action. 2 unless given. */
  readonly retries?: number | undefined;
}

/** One message of a user, with everything that the assistant may use to answer it. A value: nothing is ambient. */
export interface Turn {
  readonly id: string;
  readonly sessionId: string;
  readonly message: string;
  /** `plan`, `edits`: the message continues an earlier turn, and needs no classification. */
  readonly continues?: 'plan' | 'edits' | undefined;
  /** The plan that the message approves or changes. */
  readonly plan?: string | undefined;
  /** The message before left only proposals, which this message dismisses: the canvas has no change of it to undo. */
  readonly dismissesProposals?: boolean | undefined;
  readonly canvas: Canvas;
  readonly registry: Registry;
  readonly templates: readonly FlowTemplate[];
  readonly models: Models;
  /** The preferred model unless given. */
  readonly model?: ModelRef | undefined;
  /** Absent where no component can be written. */
  readonly components?: ComponentWriter | undefined;
  /** Tools over the tree of files that the user's pages and flows have; absent where there are none. */
  readonly files?: ToolTable | undefined;
  /**
   * Takes back the files that the newest message of the conversation with changes wrote. Changes nothing and gives undefined
   * where the newest change is one of the canvas.
   */
  readonly undoFiles?: (() => Promise<UndoneFiles | undefined>) | undefined;
  readonly runs: FlowRuns;
  readonly history: readonly PastTurn[];
  /** Applies built flows without asking. */
  readonly skipAll?: boolean | undefined;
  /** Asks the user and waits. @throws where the turn ends first */
  ask(question: TurnQuestion, signal: AbortSignal): Promise<string>;
  /** Texts that no event may contain. */
  readonly secrets: ReadonlySet<string>;
  readonly limits?: TurnLimits | undefined;
  /** Stops the turn at once. Its reason may be a text for the user. */
  readonly signal: AbortSignal;
}
