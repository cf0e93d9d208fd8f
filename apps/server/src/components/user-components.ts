import {
  type ComponentOrigin,
  type ComponentStore,
  openComponentStore,
  whenReady,
  WorkspaceError,
} from '@croft/workspace';
import type { FilesOfCallers } from '../files/caller-files.ts';
import type { UserActor } from '../files/actor-of.ts';

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
}

/** Opens the store of the user at every call, so that a tree that was moved away is not written. */
export function createUserComponents({ files }: UserComponentOptions): UserComponents {
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
  const onRecord = async <Result>(
    actor: UserActor,
    tool: string,
    className: string,
    act: () => Promise<Result>,
  ): Promise<Result> => {
    const { activity, changed } = files.open(actor.userId).top;
    const paths = () => [`.components/${className}.ts`];
    const record = activity.begin({ tool, actor, started: Date.now(), paths });
    try {
      const result = await act();
      record.finish({ outcome: 'ok' });
      return result;
    } catch (error) {
      record.finish({ outcome: error instanceof WorkspaceError ? error.code : 'internal' });
      throw error;
    } finally {
      changed();
    }
  };
  const store = (author: UserActor, { className, code, origin, conversation }: NewComponent) =>
    onRecord(author, origin === 'saved' ? 'save_component' : 'generate_component', className, () =>
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
      onRecord(author, 'remove_component', className, () =>
        withStore(author.userId, 'write', (opened) => opened.remove(className)),
      ),
  };
}
