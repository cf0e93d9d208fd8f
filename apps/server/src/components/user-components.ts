import { type ComponentOrigin, type ComponentStore, openComponentStore, whenReady } from '@croft/workspace';
import type { FilesOfCallers } from '../files/caller-files.ts';
import type { Settings } from '../config/settings.ts';

/** The sources of components that users wrote: `.components/` of the files at the top of each user's tree. */
export interface UserComponents {
  list(userId: string): ReturnType<ComponentStore['list']>;
  /** Stores what a person wrote. @throws WorkspaceError `invalid`, `quota`, `exists` */
  save(userId: string, className: string, code: string): Promise<void>;
  /** Keeps what an assistant wrote until {@link clearGenerated}. @throws WorkspaceError, as `save` */
  generate(userId: string, className: string, code: string): Promise<void>;
  /** Removes what assistants wrote and the user did not save. Returns how many. */
  clearGenerated(userId: string): Promise<number>;
  /** Whether there was one. @throws WorkspaceError `invalid` for a name that no component has */
  remove(userId: string, className: string): Promise<boolean>;
}

export interface UserComponentOptions {
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly settings: Pick<Settings, 'userQuotaBytes'>;
}

/** Opens the store of the user at every call, so that a tree that was moved away is not written. */
export function createUserComponents({ files, settings: { userQuotaBytes } }: UserComponentOptions): UserComponents {
  const withStore = async <Result>(
    userId: string,
    options: Parameters<typeof openComponentStore>[1],
    act: (store: ComponentStore) => Result | Promise<Result>,
  ): Promise<Result> => {
    const store = openComponentStore(files.open(userId).top.workspace.root, options);
    try {
      return await act(store);
    } finally {
      store.close();
    }
  };
  const quota = userQuotaBytes === undefined ? {} : { quota: { maxBytes: userQuotaBytes } };
  const store = async (userId: string, className: string, code: string, origin: ComponentOrigin) => {
    await withStore(userId, quota, (opened) => whenReady(() => opened.save(className, code, origin)));
    files.open(userId).top.changed();
  };
  return {
    list: (userId) => withStore(userId, { readOnly: true }, (opened) => opened.list()),
    save: (userId, className, code) => store(userId, className, code, 'saved'),
    generate: (userId, className, code) => store(userId, className, code, 'generated'),
    async clearGenerated(userId) {
      const count = await withStore(userId, quota, (opened) => opened.clearGenerated());
      if (count > 0) files.open(userId).top.changed();
      return count;
    },
    async remove(userId, className) {
      const isRemoved = await withStore(userId, quota, (opened) => opened.remove(className));
      if (isRemoved) files.open(userId).top.changed();
      return isRemoved;
    },
  };
}
