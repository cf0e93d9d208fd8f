import type { ReactNode } from 'react';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { hasUnseen } from '../ui/unseen-characters.ts';
import { NameField, useName } from './name-field.tsx';
import { nameProblem, pathProblem } from './paths.ts';

/** Asks for the name of a new folder, or a new name of an entry, which may have folders before it: they move the entry. */
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
  const canMove = before !== '';
  const { name, isSaving, field, submit } = useName(before, save, onClose, canMove ? pathProblem : nameProblem);
  return (
    <Dialog open title={title} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <NameField
          hint={
            hasUnseen(name) ? (
              <>
                The name contains invisible characters: <NameText name={name} />
              </>
            ) : (
              canMove && 'To move it, write a folder before the name: archive/name. Begin with / for the top folder.'
            )
          }
          {...field}
        />
        <FormFoot action={canMove && name.includes('/') ? 'Move' : action} busy={isSaving} onClose={onClose} />
      </form>
    </Dialog>
  );
}
