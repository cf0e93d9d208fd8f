import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before a dialog closes whose text would be lost. */
export function DiscardQuestion({
  about,
  onDiscard,
  onStay,
}: {
  /** Says in a sentence that the text was not saved. */
  about: string;
  onDiscard: () => void;
  onStay: () => void;
}) {
  return (
    <ConfirmDialog
      title="Discard the changes?"
      about={about}
      action="Discard changes"
      busy={false}
      onConfirm={onDiscard}
      onClose={onStay}
    />
  );
}
