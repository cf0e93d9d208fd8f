import type { Services } from '@croft/components';
import { type Actor, createOpenParts, type FlowRecords, openRecordedPart, recordedWorkspace } from '@croft/tools';
import { type Workspace, WorkspaceError } from '@croft/workspace';
import type { Settings } from '../config/settings.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import { reporter } from '../files/caller-toolsets.ts';
import type { Namespace } from '../files/namespaces.ts';
import type { Log } from '../log.ts';

export interface RunFileOptions {
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly log: Log;
  readonly settings: Pick<Settings, 'baseDir' | 'userQuotaBytes'>;
}

/** The files of a run. */
export interface RunFiles {
  readonly services: Pick<Services, 'workspace' | 'openSubPath'>;
  close(): void;
}

/** Opens the files of a user for a run. */
export function openRunFiles(
  { files, log, settings: { baseDir, userQuotaBytes } }: RunFileOptions,
  actor: Actor & { readonly userId: string },
): RunFiles {
  const open = () => files.open(actor.userId);
  const parts = createOpenParts();
  const recordsIn = (namespaceOf: (path: string) => Namespace): FlowRecords => ({
    begin: (path) =>
      namespaceOf(path).activity.begin({ tool: 'flow', actor, started: Date.now(), paths: () => [path] }),
    onError: (error) => reporter({ log })(error, 'flow'),
  });
  const records = recordsIn((path) => open().namespaceOf(path));
  // A directory that cannot be opened fails the run before its first component.
  const { top } = open();
  return {
    services: {
      workspace: atEachUse(() => recordedWorkspace(open().workspace, records)),
      openSubPath(subPath, { readOnly }) {
        const tree = open();
        const isMounted = (path: string) => tree.namespaceOf(path) !== tree.top;
        const at = tree.top.workspace.locate(subPath);
        // A link may lead into a directory that a mount hides: no list shows the files that a run writes there.
        if (isMounted(subPath) || (at.inside && isMounted(at.path)))
          throw new WorkspaceError('invalid', 'A Sub-path leads into your own files; this one is a mounted folder.');
        // Another workspace counts only its own part: it would pass the quota of the whole.
        if (userQuotaBytes !== undefined && !readOnly)
          throw new WorkspaceError(
            'read_only',
            'This server limits the size of files, and a Sub-path is read-only there. Turn on Read-only, or empty the field Workspace Sub-path.',
          );
        const { workspace, activity } = tree.top;
        // A part never leads into a mount, also where a path of it has the name of one.
        const ofTop = recordsIn(() => open().top);
        const { trashDir } = activity;
        return parts.get([subPath, readOnly], () =>
          openRecordedPart(workspace, subPath, { readOnly, baseDir, trashDir, records: ofTop }),
        );
      },
    },
    close() {
      parts.close();
      top.changed();
    },
  };
}

/** The workspace as it is at each use: a run takes hours, and an admin may switch the shared files off meanwhile. */
const atEachUse = (open: () => Workspace): Workspace =>
  new Proxy({} as Workspace, { get: (_, name) => open()[name as keyof Workspace] });
