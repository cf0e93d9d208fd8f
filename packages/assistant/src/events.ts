import type { Edit, FieldProposal, FlowContent, FlowEdge, FlowNode, Json } from '@croft/flow';

/** Cost of a whole turn: all model requests. Runs of flows are counted by the runs. */
export interface TurnUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
}

/** What `progress` reports. */
export type ProgressStep =
  | 'generating'
  | 'generating_component'
  | 'generating_plan'
  | 'generating_flow'
  | 'orchestrating'
  | 'generation_complete'
  | 'retrying'
  | 'validating'
  | 'validated'
  | 'validation_failed'
  | 'flow_proposal_ready'
  | 'generating_document';

/** One change of the flow, or one that waits for the user. `version`: of the stored flow after it. */
export type FlowUpdate =
  | {
      readonly action: 'set_flow';
      readonly flow: FlowContent;
      readonly name: string;
      readonly node_count: number;
      readonly edge_count: number;
      /** False: the flow waits for the user as proposal `id`. */
      readonly auto_apply: boolean;
      readonly id: string;
      /** The template with whose own files the flow can be tried. */
      readonly template?: string;
      /** Why the proposal cannot be added beside the canvas; absent where it can. */
      readonly no_add?: string;
      readonly version?: number;
    }
  | { readonly action: 'add_component'; readonly node: FlowNode; readonly version?: number }
  | { readonly action: 'remove_component'; readonly component_id: string; readonly version?: number }
  | { readonly action: 'connect' | 'disconnect'; readonly edge: FlowEdge; readonly version?: number }
  | {
      readonly action: 'configure';
      readonly component_id: string;
      readonly params: Readonly<Record<string, Json>>;
      readonly version?: number;
    }
  | {
      readonly action: 'select_output';
      readonly component_id: string;
      readonly output_name: string | null;
      readonly version?: number;
    }
  | {
      readonly action: 'set_connection_mode' | 'enable_tool_mode';
      readonly component_id: string;
      readonly field?: string;
      readonly enabled: boolean;
      readonly version?: number;
    }
  /** A plan that waits for the user. `flow`: what it would build, to be drawn beside the canvas. The canvas does not have it. */
  | {
      readonly action: 'propose_plan';
      readonly id: string;
      readonly markdown: string;
      readonly flow?: FlowContent;
    }
  /** Any other edit, such as of a note. */
  | { readonly action: 'edit'; readonly edit: Edit; readonly version?: number }
  | ({ readonly action: 'edit_field' } & Omit<FieldProposal, 'edit'>);

/** A question to the user. The turn waits for one answer at a time. */
export interface TurnQuestion {
  readonly id: string;
  /**
   * `effects`: whether a run may reach outside of the workspace. `beyond`: whether to do what the message did not ask for.
   * `plan`: whether to go on as planned.
   */
  readonly kind: 'question' | 'effects' | 'beyond' | 'plan';
  readonly text: string;
  readonly choices: readonly string[];
  /** The choice that counts without an answer, if there is one. */
  readonly default?: string;
}

/** How much of the message was carried out. A question that waits for the user counts as done. */
export type Outcome = 'done' | 'partly_done' | 'not_done';

/** The end of a turn. */
export interface TurnEnd {
  readonly usage: TurnUsage;
  readonly duration_seconds: number;
  /** Derived from the events before: true whatever the reply says. */
  readonly status_line: string;
  /** The restore point from before the first change of the canvas. */
  readonly restore_point_id?: string;
}

/** Everything that happens in a turn. Plain JSON, bounded, without secrets. */
export type AssistantEvent =
  | { readonly event: 'turn'; readonly turn_id: string; readonly session_id: string; readonly model: string }
  | {
      readonly event: 'progress';
      readonly step: ProgressStep;
      readonly attempt: number;
      readonly max_attempts: number;
      readonly message: string;
      readonly error?: string;
      /** How the message was understood; only at the first progress. */
      readonly intent?: string;
    }
  | { readonly event: 'token'; readonly chunk: string }
  | { readonly event: 'tool_start'; readonly tool: string; readonly label: string }
  /** `cached`: the result of the same call before. */
  | {
      readonly event: 'tool_end';
      readonly tool: string;
      readonly ok: boolean;
      readonly error?: string;
      readonly cached?: boolean;
    }
  | ({ readonly event: 'flow_update' } & FlowUpdate)
  | {
      readonly event: 'file_written';
      readonly action: 'write_file' | 'edit_file';
      readonly path: string;
      readonly size: number;
      readonly content?: string;
    }
  /** Changes of files that an earlier turn made were taken back. */
  | { readonly event: 'files_undone'; readonly turn_id: string; readonly paths: readonly string[] }
  /** A component was written, read and tried. `saved`: the user asked to keep it. */
  | {
      readonly event: 'component';
      readonly class_name: string;
      readonly label: string;
      readonly component_code: string;
      readonly saved: boolean;
    }
  | {
      readonly event: 'validated';
      readonly errors: number;
      readonly warnings: number;
      readonly problems: readonly string[];
    }
  | { readonly event: 'run_started'; readonly run_id: string }
  | {
      readonly event: 'run_finished';
      readonly run_id: string;
      readonly status: string;
      readonly text: string;
      readonly duration_seconds: number;
      readonly total_tokens: number;
    }
  | ({ readonly event: 'question' } & TurnQuestion)
  | { readonly event: 'answered'; readonly id: string; readonly choice: string }
  /** A proposal was decided: a flow by `add` or `replace`, a field by `accept`; each by `dismiss`. */
  | { readonly event: 'proposal_decided'; readonly id: string; readonly choice: string; readonly version?: number }
  | { readonly event: 'notice'; readonly type: string; readonly message: string }
  | {
      readonly event: 'complete';
      readonly data: TurnEnd & {
        readonly result: string;
        readonly has_flow: boolean;
        readonly outcome: Outcome;
        /** Parts of the message, in the user's words, that were not carried out. Empty where the reply says why. */
        readonly left_out: readonly string[];
        /** A step waits until the user has decided about the proposed edits. */
        readonly continuation_expected: boolean;
      };
    }
  | ({ readonly event: 'error'; readonly message: string; readonly detail?: string } & TurnEnd)
  | ({ readonly event: 'cancelled'; readonly message: string } & TurnEnd);

/** Whether this is the last event of a turn's own work. Decisions about proposals may follow. */
export const isEnd = ({ event }: AssistantEvent): boolean =>
  event === 'complete' || event === 'error' || event === 'cancelled';
