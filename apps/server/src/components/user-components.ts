import { type ComponentOrigin, type ComponentStore, openComponentStore, whenReady } from '@croft/workspace';
import type { FilesOfCallers } from '../files/caller-files.ts';
import type { UserActor } from '../files/actor-of.ts';
import { onRecord } from '../files/on-record.ts';
import type { Log } from '../log.ts';

/**
 * The sources of components that users wrote: `.components/` of the files at the top of each user's tree. Changes are in the
 * activity log, without content: `croft undo` does not reach reserved directories.
 */
export interface UserComponents {
  list(userId: string): ReturnType<ComponentStore['list']>;
  /** The source that an assistant wrote in a conversation, as the store's `readGenerated`. */
  readGenerated(
    userId: string,
    ...of: Parameters<ComponentStore['readGenerated']>
  ): ReturnType<ComponentStore['readGenerated']>;
  /**
   * Stores what a person wrote, or wants to keep.
   *
   * @param conversation where an assistant saves it
   * @throws WorkspaceError `invalid`, `quota`, `exists`
   */
  save(author: UserActor, className: string, code: string, conversation?: string): Promise<void>;
  /** Keeps what an assistant wrote until {@link clearGenerated}. @throws WorkspaceError, as `save` */
  generate(author: UserActor, className: string, code: string, conversation: string): Promise<void>;
  /** Removes what assistants wrote and the user did not save: in a conversation, or all. Returns how many. */
  clearGenerated(userId: string, conversation?: string): Promise<number>;
  /** Whether there was one. @throws WorkspaceError `invalid` for a name that no component has */
  remove(author: UserActor, className: string): Promise<boolean>;
}

interface NewComponent {
  readonly className: string;
  readonly code: string;
  readonly origin: ComponentOrigin;
  /** Of a generated one, and of one that an assistant saves. */
  readonly conversation?: string | undefined;
}

export interface UserComponentOptions {
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly log: Log;
}

/** Opens the store of the user at every call, so that a tree that was moved away is not written. */
export function createUserComponents({ files, log }: UserComponentOptions): UserComponents {
  const withStore = async <Result>(
    userId: string,
    access: 'read' | 'write',
    act: (store: ComponentStore) => Result | Promise<Result>,
  ): Promise<Result> => {
    const { workspace, quota } = files.open(userId).top;
    const store = openComponentStore(workspace.root, { readOnly: access === 'read', ...(quota && { quota }) });
    try {
      return await act(store);
    } finally {
      store.close();
    }
  };
  const recorded = async <Result>(
    actor: UserActor,
    tool: string,
    className: string,
    act: () => Promise<Result>,
  ): Promise<Result> => {
    const { top } = files.open(actor.userId);
    const call = { actor, tool, paths: [`.components/${className}.ts`] };
    try {
      const { outcome } = await onRecord({ log }, top, call, async () => ({ result: await act(), changes: [] }));
      return outcome.result;
    } finally {
      top.changed();
    }
  };
  const store = (author: UserActor, { className, code, origin, conversation }: NewComponent) =>
    recorded(author, origin === 'saved' ? 'save_component' : 'generate_component', className, () =>
      withStore(author.userId, 'write', (opened) =>
        whenReady(() => opened.save(className, code, origin, conversation)),
      ),
    );
  return {
    list: (userId) => withStore(userId, 'read', (opened) => opened.list()),
    readGenerated: (userId, ...of) => withStore(userId, 'read', (opened) => opened.readGenerated(...of)),
    save: (author, className, code, conversation) => store(author, { className, code, origin: 'saved', conversation }),
    generate: (author, className, code, conversation) =>
      store(author, { className, code, origin: 'generated', conversation }),
    async clearGenerated(userId, conversation) {
      const count = await withStore(userId, 'write', (opened) => opened.clearGenerated(conversation));
      if (count > 0) files.open(userId).top.changed();
      return count;
    },
    remove: (author, className) =>
      recorded(author, 'remove_component', className, () =>
        withStore(author.userId, 'write', (opened) => opened.remove(className)),
      ),
  };
}
