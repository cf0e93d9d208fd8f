import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/request.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { NameText } from '../ui/name-text.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { hasUnseen } from '../ui/unseen-characters.ts';
import { nameProblem, splitName } from './paths.ts';

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
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(before);
  const [problem, setProblem] = useState<string>();
  const save = useMutation({
    mutationFn: onName,
    onSuccess: onClose,
    onError: (error) => {
      const isTaken = error instanceof ApiError && error.code === 'exists';
      setProblem(isTaken ? 'This name is taken. Choose another.' : sentenceOf(error));
      input.current?.focus();
    },
  });
  // Users mostly keep the extension.
  useEffect(() => input.current?.setSelectionRange(0, splitName(before)[0].length), [before]);
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
            <Input
              {...control}
              ref={input}
              data-first
              autoComplete="off"
              spellCheck={false}
              value={name}
              onChange={(event) => {
                setName(event.target.value);
                setProblem(undefined);
              }}
            />
          )}
        </Field>
        <DialogFoot>
          <Button type="submit" look="primary" busy={save.isPending}>
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
