import type { ReactNode } from 'react';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { hasUnseen } from '../ui/unseen-characters.ts';
import { NameField, useName } from './name-field.tsx';

/** Asks for the name of a new folder, or a new name of an entry. Shows errors of the server below the field. */
export function NameDialog({
  title,
  action,
  before = '',
  onName,
  onClose,
}: {
  title: ReactNode;
  action: string;
  before?: string;
  onName: (name: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const save = (name: string) => (name === before ? Promise.resolve() : onName(name));
  const { name, isSaving, field, submit } = useName(before, save, onClose);
  return (
    <Dialog open title={title} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <NameField
          hint={
            hasUnseen(name) && (
              <>
                The name contains invisible characters: <NameText name={name} />
              </>
            )
          }
          {...field}
        />
        <FormFoot action={action} busy={isSaving} onClose={onClose} />
      </form>
    </Dialog>
  );
}
