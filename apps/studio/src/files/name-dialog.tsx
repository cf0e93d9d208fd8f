import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { NameText } from '../ui/name-text.tsx';
import { hasUnseen } from '../ui/unseen-characters.ts';
import { NameInput, refusedName, useNameInput } from './name-input.tsx';
import { nameProblem } from './paths.ts';

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
  const input = useNameInput(before);
  const [name, setName] = useState(before);
  const [problem, setProblem] = useState<string>();
  const save = useMutation({
    mutationFn: onName,
    onSuccess: onClose,
    onError: (error) => {
      setProblem(refusedName(error));
      input.current?.focus();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = nameProblem(name.trim());
    setProblem(wrong);
    if (wrong) input.current?.focus();
    else if (name.trim() === before) onClose();
    else if (!save.isPending) save.mutate(name.trim());
  }
  return (
    <Dialog open title={title} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label="Name"
          hint={
            hasUnseen(name) && (
              <>
                The name contains invisible characters: <NameText name={name} />
              </>
            )
          }
          error={problem}
        >
          {(control) => (
            <NameInput
              {...control}
              input={input}
              value={name}
              onName={(changed) => {
                setName(changed);
                setProblem(undefined);
              }}
            />
          )}
        </Field>
        <FormFoot action={action} busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
