import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { NameInput, refusedName, useNameInput } from './name-input.tsx';
import { nameProblem } from './paths.ts';

const FIRST_NAME = 'notes.md';

/** Creates a text file from what is typed or pasted. A name that is taken is refused below its field. */
export function TextFileDialog({
  onCreate,
  onClose,
}: {
  onCreate: (name: string, text: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const input = useNameInput(FIRST_NAME);
  const [name, setName] = useState(FIRST_NAME);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const save = useMutation({
    mutationFn: () => onCreate(name.trim(), text),
    onSuccess: onClose,
    onError: (error) => {
      setProblem(refusedName(error));
      input.current?.focus();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = nameProblem(name);
    setProblem(wrong);
    if (wrong) input.current?.focus();
    else if (!save.isPending) save.mutate();
  }
  return (
    <Dialog open wide title="New text file" onClose={onClose}>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <Field label="Name" error={problem}>
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
        <Field label="Text">
          {(control) => (
            <textarea
              {...control}
              rows={12}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
              }}
              className="w-full rounded-md border border-edge bg-surface px-3 py-2 font-mono text-sm max-sm:text-[1rem]"
            />
          )}
        </Field>
        <FormFoot action="Create file" busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
