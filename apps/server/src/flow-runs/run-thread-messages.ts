import type { Actor, AnyTool, ToolResult } from '@croft/tools';
import type pg from 'pg';
import type { Settings } from '../config/settings.ts';
import type { SecretKeys } from '../secret-key.ts';

/** The data of a thread that starts. */
export interface RunThreadData {
  readonly settings: Settings;
  /** See `quota-ledgers.ts`. */
  readonly quotaLedgers: SharedArrayBuffer;
  readonly secretKeys: SecretKeys;
  readonly workerGroup: string;
  readonly workerName: string;
}

/** A tool of a machine, without its function. */
export interface ListedTool extends Pick<AnyTool, 'name' | 'title' | 'description' | 'tags' | 'annotations'> {
  /** JSON Schema. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A question of the thread about the machine of a user; it has an answer with its id. */
export type MachineQuestion =
  | { readonly kind: 'list-tools'; readonly id: number; readonly userId: NonNullable<Actor['userId']> }
  | {
      readonly kind: 'call-tool';
      readonly id: number;
      readonly userId: NonNullable<Actor['userId']>;
      readonly name: string;
      readonly input: unknown;
    };

export type FromRunThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'log'; readonly line: string }
  /** Files of a user changed; of all users if it is undefined. */
  | { readonly kind: 'files'; readonly userId: string | undefined }
  | MachineQuestion
  | { readonly kind: 'cancel'; readonly id: number };

export type MachineAnswer = { readonly tools: readonly ListedTool[] } | { readonly result: ToolResult };

export type ToRunThread =
  /** The runs are open: the database has their tables. */
  | { readonly kind: 'open'; readonly connection: pg.ClientConfig }
  | { readonly kind: 'stop' }
  /** Files of a user changed in the server's own thread; of all users if it is undefined. */
  | { readonly kind: 'files'; readonly userId: string | undefined }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: MachineAnswer }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
