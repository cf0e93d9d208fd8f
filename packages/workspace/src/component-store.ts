import { lstatSync, mkdirSync } from 'node:fs';
import type { Enclosure } from './enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from './errors.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { RESERVED_SEGMENTS } from './names.ts';
import { createQuota } from './quota.ts';
import { type Dir, type DirKind, openDir } from './resolve/dir.ts';
import { openRoot, type Root } from './resolve/root.ts';
import type { WorkspaceOptions } from './workspace.ts';
import {
  MAX_COMPONENT_BYTES,
  COMPONENT_FILE,
  type ComponentOrigin,
  conversationTag,
  checkClassName,
  checkSource,
  type StoredComponent,
  type StoredComponents,
  filesOfClass,
  readGenerated,
  componentEntries,
  readComponents,
  removeFile,
} from './component-files.ts';
import { storeComponent } from './store-component.ts';
const SEGMENT: (typeof RESERVED_SEGMENTS)[1] = '.components';

/**
 * The sources of a user's components, in `.components/` of the workspace. This is the only way to that directory: the
 * workspace's own operations refuse it. Takes class names, never paths.
 *
 * All failures are {@link WorkspaceError}.
 */
export interface ComponentStore {
  /**
   * Stores a source, in one step. A generated one leaves the saved one and those of other conversations as they are, and
   * covers them until {@link clearGenerated}. A saved one takes the place of the generated one of its conversation, and of
   * those with the same code, and covers the others.
   *
   * @param conversation of a generated one; of a saved one, where an assistant saves it
   * @throws WorkspaceError `invalid` (name or size), `quota`, `exists` (the names differ in case only), `read_only`
   */
  save(className: string, code: string, origin: ComponentOrigin, conversation?: string): void;
  /** Removes a component, saved and generated. Whether there was one. */
  remove(className: string): Promise<boolean>;
  /**
   * Removes the components that an assistant generated and no person saved: those of a conversation, or all. Returns their
   * number.
   */
  clearGenerated(conversation?: string): Promise<number>;
  /**
   * The source that an assistant generated in a conversation. Where it generated none of this class: the generated one of another
   * conversation, if the class has no other source.
   */
  readGenerated(className: string, conversation: string): Promise<StoredComponent | undefined>;
  list(): Promise<StoredComponents>;
  close(): void;
}

/**
 * Opens the store of the workspace at `dir`. Makes `.components/` when the first source is saved.
 *
 * @throws WorkspaceError `unavailable` if `dir` is missing
 */
export function openComponentStore(
  dir: string,
  options: Pick<WorkspaceOptions, 'readOnly' | 'quota' | 'resolver' | 'durable'> = {},
): ComponentStore {
  const outer = openRoot(dir, options.resolver);
  const quota = options.quota && createQuota(options.quota, outer);
  const enclosureOf = (root: Root): Enclosure => ({
    root,
    ambient: undefined,
    readOnly: options.readOnly ?? false,
    denyList: false,
    durable: options.durable ?? false,
    base: undefined,
    masks: [],
    ignoreNames: new Set(),
    limits: { ...DEFAULT_LIMITS, maxFileBytes: MAX_COMPONENT_BYTES },
    quota,
    trash: undefined,
    closing: new AbortController().signal,
  });
  /** Opens the directory for one call. Undefined where it is missing and not to be made. */
  const opened = (makes: boolean): Enclosure | undefined => {
    outer.check();
    if (makes && options.readOnly === true) throw new WorkspaceError('read_only', 'This workspace is read-only');
    try {
      const open = (_given: string, kind: DirKind) => openSegment(outer, kind, makes);
      return enclosureOf(openRoot(outer.dir.at(SEGMENT), options.resolver, open));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' && !makes) return undefined;
      if (error instanceof WorkspaceError) throw error;
      throw new WorkspaceError('io', `Cannot open the components: ${osReason(error)}`, { cause: error });
    }
  };
  const withStore = async <Result>(empty: Result, act: (store: Enclosure) => Promise<Result>): Promise<Result> => {
    const store = opened(false);
    if (store === undefined) return empty;
    try {
      return await act(store);
    } finally {
      store.root.close();
    }
  };
  return {
    save(className, code, origin, conversation) {
      checkSource(className, code);
      const store = opened(true) as Enclosure;
      try {
        storeComponent(store, { className, code, origin, conversation });
      } finally {
        store.root.close();
      }
    },
    remove: async (className) => {
      checkClassName(className);
      return await withStore(false, async (store) => {
        const removed = await Promise.all(filesOfClass(store, className).map(({ name }) => removeFile(store, name)));
        return removed.includes(true);
      });
    },
    clearGenerated: (conversation) =>
      withStore(0, async (store) => {
        const tag = conversation === undefined ? undefined : conversationTag(conversation);
        let count = 0;
        for (const { name } of componentEntries(store).found) {
          const [, , generated, own] = COMPONENT_FILE.exec(name) as RegExpExecArray;
          const isMeant = generated !== undefined && (tag === undefined || own === tag);
          if (isMeant && (await removeFile(store, name))) count++;
        }
        return count;
      }),
    readGenerated: (className, conversation) =>
      withStore<StoredComponent | undefined>(undefined, (store) => readGenerated(store, className, conversation)),
    list: () => withStore<StoredComponents>({ components: [], skipped: [] }, readComponents),
    close: () => outer.close(),
  };
}

/** Reached from the workspace's own descriptor, and never through a link. */
function openSegment(outer: Root, kind: DirKind, makes: boolean): Dir {
  const at = outer.dir.at(SEGMENT);
  if (makes && lstatSync(at, { throwIfNoEntry: false }) === undefined)
    try {
      mkdirSync(at, 0o755);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  const dir = openDir(at, kind);
  try {
    outer.dir.verify();
    dir.verify();
  } catch (error) {
    dir.close();
    throw error;
  }
  return dir;
}
