import { isAbsolute, relative, sep } from 'node:path';
import { type Change, openWorkspace, type Workspace, type WorkspaceOptions } from '@croft/workspace';
import { type FlowRecords, recordedWorkspace } from './recorded-workspace.ts';

export interface RecordedPartOptions extends Pick<WorkspaceOptions, 'readOnly' | 'baseDir'> {
  /** The trash of the whole workspace; undefined where it has none. */
  readonly trashDir: string | undefined;
  /** Where changes are recorded, by their paths in the whole workspace. */
  readonly records: FlowRecords;
}

/**
 * Opens a directory of a workspace as a workspace of its own, whose writes are in the activity log of the whole. The part
 * confines its paths to its own root; only records name them from the root of the whole, so that the whole can undo them.
 * A missing directory is made, on record too, unless the part is read-only. The caller closes the part.
 *
 * @throws WorkspaceError as `openWorkspace` with a `subPath`
 */
export function openRecordedPart(
  whole: Workspace,
  subPath: string,
  { records, trashDir, ...options }: RecordedPartOptions,
): Workspace {
  if (options.readOnly !== true) {
    const at = whole.locate(subPath);
    if (at.inside && !at.exists) recordedWorkspace(whole, records).createDir(subPath);
  }
  const maxBytes = whole.trashBytes();
  const part = openWorkspace(whole.root, {
    ...options,
    subPath,
    ...(trashDir !== undefined && { trashDir, trashLimits: { ...(maxBytes !== undefined && { maxBytes }) } }),
  });
  // Both are real paths: a sub-path through a link has records under its real name, which undo accepts.
  return recordedWorkspace(part, recordsBelow(relative(whole.root, part.root).split(sep).join('/'), records));
}

/** Parts that are open, each once: a loop asks for the same one in each round, and an open part holds descriptors. */
export interface OpenParts {
  /** The part with this key; the first call opens it. */
  get(key: readonly (string | boolean)[], open: () => Workspace): Workspace;
  close(): void;
}

export function createOpenParts(): OpenParts {
  const parts = new Map<string, Workspace>();
  return {
    get(key, open) {
      const text = JSON.stringify(key);
      const part = parts.get(text) ?? open();
      parts.set(text, part);
      return part;
    },
    close() {
      for (const part of parts.values()) part.close();
    },
  };
}

function recordsBelow(directory: string, records: FlowRecords): FlowRecords {
  if (directory === '') return records;
  // Not normalised: the record of a refused call has the path that was tried.
  const inWhole = (path: string) => (isAbsolute(path) ? path : `${directory}/${path}`);
  const changesInWhole = (changes: readonly Change[]) =>
    changes.map((change) => ({ ...change, path: inWhole(change.path) }));
  return {
    ...records,
    begin(path) {
      const record = records.begin(inWhole(path));
      return (
        record && {
          ...record,
          intend: (changes, fields) => record.intend(changesInWhole(changes), fields),
          finish: ({ changes, ...call }, fields) =>
            record.finish({ ...call, changes: changes && changesInWhole(changes) }, fields),
        }
      );
    },
  };
}
