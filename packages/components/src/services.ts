import type { Component } from '@croft/flow';
import type { Models } from '@croft/models';
import type { Workspace } from '@croft/workspace';

/** Everything a component may use besides its inputs. An app builds one set for each run. */
export interface Services {
  /** The user's files; absent where a run has none. */
  readonly workspace?: Workspace;
  /** The user's language models; absent where a run has none. */
  readonly models?: Models;
  /** The current time. Tests set it. */
  readonly now: () => Date;
}

export type CroftComponent = Component<Services>;

/** A failure of a component with advice for the author of the flow. */
export class ComponentError extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.name = 'ComponentError';
    this.fix = fix;
  }
}

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
