import { useState } from 'react';
import { DiscardQuestion } from '../ui/discard-question.tsx';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { useUnsaved } from '../ui/use-unsaved.ts';
import { NameField, useName } from './name-field.tsx';

const FIRST_NAME = 'notes.md';

/** Creates a text file from what is typed or pasted. A name that is taken is refused below its field. */
export function TextFileDialog({
  onCreate,
  onClose,
}: {
  onCreate: (name: string, text: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const { isLeaving, leave, stay } = useUnsaved(text !== '', onClose);
  const { isSaving, field, submit } = useName(FIRST_NAME, (name) => onCreate(name, text), onClose);
  return (
    <Dialog open wide title="New text file" onClose={leave}>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <NameField {...field} />
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
        <FormFoot action="Create file" busy={isSaving} onClose={leave} />
      </form>
      {isLeaving && <DiscardQuestion about="The text was not saved." onDiscard={onClose} onStay={stay} />}
    </Dialog>
  );
}
