import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { changesPath, recentChangesQuery } from '../api/activity.ts';
import { Link } from '../routing/link.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { runFilesText } from './run-files.ts';

/**
 * Reverts a message. Asks before, where a run of the message changed files, which stay.
 *
 * @param run the id of the run that the message started
 */
export function RevertButton({ run, onRevert }: { run: string | undefined; onRevert: () => Promise<void> }) {
  const client = useQueryClient();
  const [staying, setStaying] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const revert = async () => {
    setIsBusy(true);
    await onRevert();
    setIsBusy(false);
    setStaying(undefined);
  };
  const ask = async () => {
    if (run === undefined) return revert();
    setIsBusy(true);
    // Where the files cannot be listed, the message can be reverted all the same.
    const found = await client.fetchQuery({ ...recentChangesQuery({ run }), staleTime: 0 }).catch(() => undefined);
    setIsBusy(false);
    const files = found && runFilesText(found.changes);
    return files === undefined ? revert() : setStaying(files);
  };
  return (
    <>
      <Button small look="quiet" className="-my-1" busy={isBusy} onClick={() => void ask()}>
        <Undo2 size={14} aria-hidden="true" /> Revert
      </Button>
      {staying !== undefined && run !== undefined && (
        <ConfirmDialog
          title="Revert this message?"
          about={
            <>
              This takes back what the assistant changed. <StayingFiles files={staying} run={run} />
            </>
          }
          action="Revert"
          look="primary"
          busy={isBusy}
          onConfirm={() => void revert()}
          onClose={() => setStaying(undefined)}
        />
      )}
    </>
  );
}

/** Says that files of a run are not reverted, and where they can be undone. */
export function StayingFiles({ files, run }: { files: string; run: string }) {
  return (
    <>
      The run of this message changed {files}: that stays, and can be undone under{' '}
      <Link to={changesPath({ run })} className="text-accent-strong underline underline-offset-2">
        Activity
      </Link>
      .
    </>
  );
}
