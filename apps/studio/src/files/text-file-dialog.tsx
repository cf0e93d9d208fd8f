import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/request.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { nameProblem, splitName } from './paths.ts';

const FIRST_NAME = 'notes.md';

/** Creates a text file from what is typed or pasted. A name that is taken is refused below its field. */
export function TextFileDialog({
  onCreate,
  onClose,
}: {
  onCreate: (name: string, text: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(FIRST_NAME);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const save = useMutation({
    mutationFn: () => onCreate(name.trim(), text),
    onSuccess: onClose,
    onError: (error) => {
      const isTaken = error instanceof ApiError && error.code === 'exists';
      setProblem(isTaken ? 'This name is taken. Choose another.' : sentenceOf(error));
      input.current?.focus();
    },
  });
  useEffect(() => input.current?.setSelectionRange(0, splitName(FIRST_NAME)[0].length), []);
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
        <DialogFoot>
          <Button type="submit" look="primary" busy={save.isPending}>
            Create file
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
