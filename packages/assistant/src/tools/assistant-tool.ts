import type { Registry } from '@croft/flow';
import type { JsonSchema } from '@croft/models';
import type { AssistantEvent } from '../events.ts';
import type { Turn } from '../turn.ts';
import type { WorkingFlow } from '../working-flow.ts';

/** Arguments of a call: JSON of the model. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A result for the model. With `error` the call failed. */
export type ToolData = Readonly<Record<string, unknown>>;

/** The kinds of actions that a message asks for. */
export interface Asked {
  /** Changes of the canvas and of the user's components. */
  readonly change: boolean;
  /** Removals of components that were there before, and going back to an earlier canvas. */
  readonly remove: boolean;
  readonly write: boolean;
  readonly run: boolean;
  /** A run that may write the files of the flow. */
  readonly runWrites: boolean;
}

/** The parts that all tools of one turn use. */
export interface ToolContext {
  readonly turn: Turn;
  readonly working: WorkingFlow;
  /** Whether the user asked to change the flow that there is, and not for a new one. */
  readonly isEdit: boolean;
  /** The actions that the message asks for. */
  readonly asked: Asked;
  /** The texts of the user that name files to change. */
  readonly named: string;
  /** Aborts when the turn ends. */
  readonly signal: AbortSignal;
  readonly notes: TurnNotes;
  /** Makes a new component known to the tools of this turn. */
  register(entry: Registry['entries'][number]): void;
  emit(event: AssistantEvent): void;
}

/** Facts of a turn, for decisions that no text of the model may make. */
export interface TurnNotes {
  /** A step that waits for decisions about proposed edits. */
  deferred: boolean;
  /** Field changes that wait for the user, by component and field. */
  readonly proposedFields: Map<string, string>;
  questions: number;
  /** Answers about actions that the message did not ask for. */
  readonly allowed: Map<keyof Asked, boolean>;
  /** Files that the turn made, or that the user allowed it to change. */
  readonly ownFiles: Set<string>;
  /** Parts of the message that no call carries out: in the user's words, for croft/offline; refused secrets, for any model. */
  readonly leftOut: string[];
  /** The message asks for a run of the flow that it builds. For croft/offline. */
  runsBuilt?: boolean;
  /** The template whose own files the next built flow reads. For croft/offline. */
  template?: string | undefined;
  /** The message with which the next built flow can be tried. For croft/offline. */
  input?: string | undefined;
}

/** A tool of the assistant. Failures that the model can correct are results. */
export interface AssistantTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** The text for the user when a call begins. */
  label(args: ToolArguments): string;
  /** Gives the same result for the same arguments during a turn. */
  readonly isCached?: boolean;
  /** The kind of action, where the message has to ask for it. */
  readonly needs?: keyof Asked | ((args: ToolArguments, context: ToolContext) => keyof Asked);
  /** A success makes kept results about components wrong. */
  readonly changesComponents?: boolean;
  run(args: ToolArguments, context: ToolContext): Promise<ToolData> | ToolData;
}

/** A schema of an object of texts; names that end with `?` may be left out. */
export function textParameters(fields: Readonly<Record<string, string>>): JsonSchema {
  const entries = Object.entries(fields).map(([name, description]) => ({
    name: name.replace(/\?$/, ''),
    isRequired: !name.endsWith('?'),
    description,
  }));
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(({ name, description }) => [name, { type: 'string', description }])),
    required: entries.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** A text argument; empty where it is missing. */
export function textOf(args: ToolArguments, name: string): string {
  const value = args[name];
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/**
 * A failure that the model can correct. `summary` is the text for a person: give it where the error tells a model what to
 * call or do.
 */
export const failed = (error: string, more: ToolData = {}): ToolData => ({ error, text: error, ...more });

/** The call that croft/offline makes after this result. */
export const next = (tool: string, args: ToolArguments): ToolData => ({ next: { tool, arguments: args } });

export const quotedList = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;
