import { Check, CircleAlert, CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { Spinner } from '../ui/spinner.tsx';
import type { SaveState } from './edit-state.ts';

/** Whether the server has all changes, and what to do where it refuses them. */
export function SaveMark({
  save,
  onRetry,
  onDiscard,
}: {
  save: SaveState;
  onRetry: () => void;
  onDiscard: () => void;
}) {
  return (
    <span role="status" className="flex flex-wrap items-center gap-2">
      {save.kind === 'saved' && <Mark icon={<Check size={15} aria-hidden="true" />}>Saved</Mark>}
      {save.kind === 'saving' && <Mark icon={<Spinner className="size-3.5" />}>Saving</Mark>}
      {save.kind === 'conflict' && <Mark icon={<CircleAlert size={15} aria-hidden="true" />}>Not saved</Mark>}
      {save.kind === 'waiting' && (
        <Mark icon={<CloudOff size={15} aria-hidden="true" />}>Not saved yet. Croft does not answer; trying again</Mark>
      )}
      {save.kind === 'refused' && (
        <>
          <Mark icon={<CircleAlert size={15} aria-hidden="true" />} isBad>
            Not saved. {save.message}
          </Mark>
          <Button small onClick={onRetry}>
            Try again
          </Button>
          <Button small onClick={onDiscard}>
            Discard changes
          </Button>
        </>
      )}
    </span>
  );
}

/** A few words with an icon. */
export function Mark({ icon, isBad = false, children }: { icon: ReactNode; isBad?: boolean; children: ReactNode }) {
  return (
    <span className={cn('flex items-center gap-1.5 text-sm', isBad ? 'text-bad' : 'text-soft')}>
      <span className="shrink-0">{icon}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </span>
  );
}
