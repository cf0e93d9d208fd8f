import type { ReactNode } from 'react';
import { Button, type ButtonLook } from './button.tsx';
import { Dialog, DialogFoot } from './dialog.tsx';

/** Asks before an action that cannot be undone or reaches others. The focus starts on Cancel. */
export function ConfirmDialog({
  title,
  about,
  action,
  look = 'danger',
  busy,
  onConfirm,
  onClose,
  children,
  wide = false,
}: {
  title: ReactNode;
  about: ReactNode;
  action: string;
  look?: ButtonLook;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** Above the buttons. */
  children?: ReactNode;
  wide?: boolean;
}) {
  return (
    <Dialog open title={title} about={about} onClose={onClose} wide={wide}>
      {children}
      <DialogFoot>
        <Button look={look} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
        <Button data-first onClick={onClose}>
          Cancel
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
