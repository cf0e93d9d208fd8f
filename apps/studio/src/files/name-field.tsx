import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/request.ts';
import { sentenceOf } from '../ui/state.tsx';
import { TextField } from '../ui/text-field.tsx';
import { nameProblem, splitName } from './paths.ts';

/** The field for the name of a file or folder; its state is from {@link useName}. */
export function NameField({
  input,
  value,
  onName,
  hint,
  error,
}: {
  input: RefObject<HTMLInputElement | null>;
  value: string;
  onName: (name: string) => void;
  hint?: ReactNode;
  error: string | undefined;
}) {
  return (
    <TextField
      label="Name"
      hint={hint}
      error={error}
      ref={input}
      data-first
      spellCheck={false}
      value={value}
      onText={onName}
    />
  );
}

/** The state of a {@link NameField} whose name the server may refuse. Call it in the component that has the dialog. */
export function useName(
  before: string,
  save: (name: string) => Promise<unknown>,
  onSaved: () => void,
  problemOf = nameProblem,
) {
  const input = useRef<HTMLInputElement>(null);
  // Users mostly keep the extension.
  useEffect(() => input.current?.setSelectionRange(0, splitName(before)[0].length), [before]);
  const [name, setName] = useState(before);
  const [problem, setProblem] = useState<string>();
  const saving = useMutation({
    mutationFn: save,
    onError: (error) => {
      setProblem(refusedName(error));
      input.current?.focus();
    },
  });
  return {
    name,
    isSaving: saving.isPending,
    field: {
      input,
      value: name,
      error: problem,
      onName: (changed: string) => {
        setName(changed);
        setProblem(undefined);
      },
    },
    /** Saves the name, or shows why it is not allowed. */
    submit: (event: FormEvent) => {
      event.preventDefault();
      const wrong = problemOf(name.trim());
      setProblem(wrong);
      if (wrong) input.current?.focus();
      // Not called for a dialog that the user has closed meanwhile: another one may be open.
      else if (!saving.isPending) saving.mutate(name.trim(), { onSuccess: onSaved });
    },
  };
}

/** The reason why the server refused a name, as a sentence. */
function refusedName(error: Error): string {
  const isTaken = error instanceof ApiError && error.code === 'exists';
  return isTaken ? 'This name is taken. Choose another.' : sentenceOf(error);
}
