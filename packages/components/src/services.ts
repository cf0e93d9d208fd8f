import type { Component } from '@croft/flow';
import type { Models } from '@croft/models';
import type { AnyTool } from '@croft/tools';
import type { Workspace } from '@croft/workspace';
import { ComponentError } from './component-error.ts';
import type { RunSql } from './data/sql-service.ts';
import type { DocumentService } from './files/document-service.ts';
import type { FlowLibrary } from './flows/flow-library.ts';
import type { History } from './inputs/history.ts';
import type { VectorStore } from './knowledge/vector-store.ts';
import type { ConnectMcp } from './mcp/mcp-service.ts';
import type { Channel } from './logic/channel.ts';
import type { PersonAnswer, PersonQuestion } from './logic/person-question.ts';

/** Everything a component may use besides its inputs. An app builds one set for each run. */
export interface Services {
  /** The user's files; absent where a run has none. */
  readonly workspace?: Workspace;
  /**
   * Opens a directory inside the workspace as a workspace, by the same rules and with the same record of changes. The app closes
   * it after the run.
   */
  readonly openSubPath?: (subPath: string, options: { readonly readOnly: boolean }) => Workspace;
  /** How the server separates users; a run without a server is shared. */
  readonly namespace?: { readonly autoLogin: boolean; readonly mode: 'shared' | 'isolated' };
  /** The user's language models; absent where a run has none. */
  readonly models?: Models;
  /** Requests to other machines: a guarded fetch of the app. Absent where a run has no network. */
  readonly fetch?: typeof globalThis.fetch;
  /** Looks up a credential by name. A component sends it only to the hosts that it is bound to. */
  readonly credential?: (name: string) => Credential | undefined;
  /** The messages of sessions; absent where a run keeps none. */
  readonly history?: History;
  /** Collections of texts with vectors; absent where a run has none. */
  readonly vectors?: VectorStore;
  /** The user's other flows; absent where a run has none. */
  readonly flows?: FlowLibrary<Services>;
  /** Reads and writes PDF and Office files; absent where a run cannot. */
  readonly documents?: DocumentService;
  /** Values that nodes of the run send each other by name. */
  readonly channel?: Channel;
  /** The tools of the user's connected machine, none while it is not connected. Absent where a run cannot reach one. */
  readonly machineTools?: () => Promise<readonly AnyTool[]>;
  /** Runs SQL on databases; absent where a run cannot. */
  readonly sql?: RunSql;
  /** Connects to MCP servers; absent where a run has no client for them. */
  readonly mcp?: ConnectMcp;
  /** Asks a person and waits for the answer; absent where no person can answer. */
  readonly ask?: (question: PersonQuestion) => Promise<PersonAnswer>;
  /** Gives the value that the first call with this key made, also in later attempts of a durable run. The value is JSON. */
  readonly remember?: <Value>(key: string, make: () => Value) => Promise<Value>;
  /** The user of the run: the code of each user gets only a part of the sandbox's threads. */
  readonly user?: string;
  /** The current time. Tests set it. */
  readonly now: () => Date;
}

/** A secret for requests, and the hosts that may receive it. The app decides both, never the flow. */
export interface Credential {
  readonly value: string;
  /** `host` or `host:port`, for https only; `http://host:port` for plain http. */
  readonly hosts: readonly string[];
}

export type CroftComponent = Component<Services>;
export { ComponentError };

/** @throws ComponentError where the run has no files */
export function requireWorkspace({ workspace }: Services): Workspace {
  if (workspace) return workspace;
  throw new ComponentError(
    'This run has no files to work with.',
    'Run the flow with a directory: croft run FLOW.json --dir DIR.',
  );
}

/** @throws ComponentError where the run has no language models */
export function requireModels({ models }: Services): Models {
  if (models) return models;
  throw new ComponentError(
    'This run has no language models.',
    'Run the flow with croft run, which uses the keys of the environment, or croft/offline without one.',
  );
}

/** @throws ComponentError where the run keeps no messages */
export function requireHistory({ history }: Services): History {
  if (history) return history;
  throw new ComponentError('This run keeps no messages.', 'Run the flow with croft run or on a server.');
}

/** @throws ComponentError where the run has no vector store */
export function requireVectors({ vectors }: Services): VectorStore {
  if (vectors) return vectors;
  throw new ComponentError('This run has no vector store.', 'Run the flow with croft run or on a server.');
}
