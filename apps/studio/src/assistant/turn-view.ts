import type { AssistantEvent, FlowUpdate, ProgressStep, TurnQuestion, TurnUsage } from '@croft/assistant/events';
import type { FlowContent } from '@croft/flow';
import type { BuildTask } from './build-task.ts';

/**
 * The state of a turn. `sending`: the server does not have the message yet. `asking`: the turn waits for the user's
 * answer. `interrupted`: the server ended before the turn did.
 */
export type TurnStatus = 'sending' | 'working' | 'asking' | 'complete' | 'error' | 'cancelled' | 'interrupted';

/** The decision of the user. */
export type OfferStatus = 'pending' | 'applied' | 'dismissed';

/** A built flow that waits for the user. */
export interface FlowOffer extends Pick<SetFlow, 'id' | 'flow' | 'name' | 'node_count' | 'edge_count' | 'template'> {
  readonly status: OfferStatus;
  /** It was put onto the canvas before. It can be put there again, as an edit of the user. */
  readonly isRepeat: boolean;
}

/** A changed text that waits for the user. */
export interface FieldOffer
  extends Pick<EditField, 'id' | 'component_id' | 'component_type' | 'field' | 'old_value' | 'new_value'> {
  readonly status: OfferStatus;
}

/** A plan. `refining`: the user wants it changed; the next message says how. */
export interface PlanOffer {
  readonly id: string;
  readonly markdown: string;
  /** The flow that it would build, for a drawing. */
  readonly flow?: FlowContent | undefined;
  readonly status: 'pending' | 'approved' | 'refining' | 'dismissed';
}

export interface WrittenFile {
  readonly action: 'write_file' | 'edit_file';
  readonly path: string;
  readonly size: number;
  readonly content?: string | undefined;
}

/** A component that the turn wrote: it was checked and tried, and can be used. */
export interface WrittenComponent {
  readonly className: string;
  readonly label: string;
  readonly code: string;
}

export interface TurnRun {
  readonly id: string;
  /** `running` until the run ends. */
  readonly status: string;
  readonly text: string;
  readonly durationSeconds?: number;
  readonly tokens?: number;
}

/** Everything that the panel shows of one turn. A pure function of its events and of the user's decisions. */
export interface TurnView {
  /** Names the turn in this page, also before the server has named it. */
  readonly key: string;
  readonly id?: string;
  readonly model?: string;
  readonly status: TurnStatus;
  readonly text: string;
  /** The current phase, such as “Orchestrating...”. */
  readonly label: string;
  readonly step?: ProgressStep;
  /** The call under way, such as “Reading notes.md”. */
  readonly activity?: string | undefined;
  readonly tasks: readonly BuildTask[];
  readonly flow?: FlowOffer | undefined;
  readonly fields: readonly FieldOffer[];
  readonly plan?: PlanOffer;
  readonly question?: TurnQuestion | undefined;
  /** Answered questions. */
  readonly answers: readonly { readonly text: string; readonly choice: string }[];
  readonly files: readonly WrittenFile[];
  readonly components: readonly WrittenComponent[];
  readonly notices: readonly { readonly type: string; readonly message: string }[];
  /** The latest check of the flow. Without errors its problems are warnings. */
  readonly check?: { readonly errors: number; readonly problems: readonly string[] };
  readonly run?: TurnRun;
  readonly usage?: TurnUsage;
  readonly durationSeconds?: number;
  readonly failure?: { readonly message: string; readonly detail?: string };
  /** Of the flow when the message was sent; absent where this page did not send it. */
  readonly startVersion?: number;
  /** Of the flow after the newest change of this turn. */
  readonly version?: number;
  /** A step waits until the user has decided about all proposals. */
  readonly continues: boolean;
  /** The flow was kept before the first change. */
  readonly canRewindCanvas: boolean;
  readonly isReverted: boolean;
  /** It was reverted in another way than by its button, which cannot take that back. */
  readonly isUndone?: boolean;
  /** Where a reader resumes. */
  readonly lastEventId?: string;
  /** Without tokens: evidence is computed from these. */
  readonly events: readonly AssistantEvent[];
}

type SetFlow = Extract<FlowUpdate, { action: 'set_flow' }>;
type EditField = Extract<FlowUpdate, { action: 'edit_field' }>;

/** A turn whose message is on its way. */
export function newTurn(key: string): TurnView {
  return {
    key,
    status: 'sending',
    text: '',
    label: '',
    tasks: [],
    fields: [],
    answers: [],
    files: [],
    components: [],
    notices: [],
    continues: false,
    canRewindCanvas: false,
    isReverted: false,
    events: [],
  };
}

/** Whether the turn still works or waits for an answer. */
export const isUnderWay = ({ status }: Pick<TurnView, 'status'>): boolean =>
  status === 'sending' || status === 'working' || status === 'asking';

/** Whether the turn changed the canvas. */
export const changedCanvas = ({ version }: Pick<TurnView, 'version'>): boolean => version !== undefined;

/** Whether the turn changed the canvas or files: then it can be reverted. */
export const hasChanges = (turn: TurnView): boolean => changedCanvas(turn) || turn.files.length > 0;
