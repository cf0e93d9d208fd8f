import { closeSync, type Dirent, fstatSync, openSync, readdirSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import type { DenyList } from './deny-list.ts';
import type { Pace } from './pace.ts';
import { LIST } from './resolve/native.ts';
import { isHidden, typeOf, type VisitedEntry } from './visit-tree.ts';

export interface SlicedVisit {
  readonly maxDepth: number;
  readonly denyList: DenyList;
  /** Also report reserved and temporary names. */
  readonly showReserved?: boolean;
  /** Called for each name that is not reported. */
  readonly onHidden?: (name: string) => void;
  /** Called with Node's error for each directory that cannot be opened or read. May throw to end the walk. */
  readonly onUnread?: (error: unknown) => void;
  readonly pace: Pace;
}

/** A directory file above this size is read in parts, so that no single read holds the event loop. */
const READ_AT_ONCE_BYTES = 8 * 1024;
const ENTRIES_AT_ONCE = 256;

/**
 * Walks a directory as {@link visitTree} does, in slices and in the order of the directory. Each directory is opened
 * from its parent's descriptor without following a link; what vanishes or cannot be read is left out.
 *
 * @param self see `visitTree`
 * @param onEntry awaited; `skip` leaves a directory closed
 * @returns whether directories deeper than `maxDepth` were left closed
 * @throws WorkspaceError `cancelled`, and what `onEntry` throws
 */
export async function visitInSlices(
  self: string,
  options: SlicedVisit,
  onEntry: (entry: VisitedEntry) => 'skip' | undefined | void | Promise<'skip' | undefined | void>,
): Promise<{ readonly tooDeep: boolean }> {
  const { pace } = options;
  const byDescriptor = self.startsWith('/proc/self/fd/');
  let tooDeep = false;
  const visit = async (fd: number, at: string, path: string, depth: number): Promise<void> => {
    for await (const part of partsOf(fd, at, options)) {
      for (const dirent of part) {
        const pause = pace.pause();
        if (pause) await pause;
        const { name } = dirent;
        if (isHidden(name, options)) {
          options.onHidden?.(name);
          continue;
        }
        const type = typeOf(dirent);
        const below = path === '' ? name : `${path}/${name}`;
        const entryAt = `${at}/${name}`;
        const met = onEntry({ name, path: below, type, at: entryAt, depth });
        // An await for each of many files would cost more than looking at them.
        const verdict = met instanceof Promise ? await met : met;
        if (type !== 'directory' || verdict === 'skip') continue;
        if (depth >= options.maxDepth) {
          tooDeep = true;
          continue;
        }
        await within(entryAt, options, (child) =>
          visit(child, byDescriptor ? `/proc/self/fd/${child}` : entryAt, below, depth + 1),
        );
      }
    }
  };
  const top = /^\/proc\/self\/fd\/\d+$/.test(self) ? `${self}/.` : self;
  await within(top, options, (fd) => visit(fd, byDescriptor ? `/proc/self/fd/${fd}` : self, '', 1));
  return { tooDeep };
}

async function within(at: string, { onUnread }: SlicedVisit, use: (fd: number) => Promise<void>): Promise<void> {
  let fd: number;
  try {
    fd = openSync(at, LIST);
  } catch (error) {
    onUnread?.(error);
    return;
  }
  try {
    await use(fd);
  } finally {
    closeSync(fd);
  }
}

/** The entries of a directory: a small one as a whole, a large one in parts. */
async function* partsOf(fd: number, at: string, { onUnread }: SlicedVisit): AsyncGenerator<readonly Dirent[]> {
  try {
    if (fstatSync(fd).size <= READ_AT_ONCE_BYTES) yield readdirSync(at, { withFileTypes: true });
    else for await (const entry of await opendir(at, { bufferSize: ENTRIES_AT_ONCE })) yield [entry];
  } catch (error) {
    // Not readable. Errors of the visitor do not come here: it throws outside of this generator.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    onUnread?.(error);
  }
}
