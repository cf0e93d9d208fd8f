import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogFoot } from './dialog.tsx';

/** Asks before an action that cannot be undone. The focus starts on Cancel. */
export function ConfirmDialog({
  title,
  about,
  action,
  busy,
  onConfirm,
  onClose,
}: {
  title: ReactNode;
  about: ReactNode;
  action: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog open title={title} about={about} onClose={onClose}>
      <DialogFoot>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
        <Button data-first onClick={onClose}>
          Cancel
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
