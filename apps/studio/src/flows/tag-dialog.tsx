import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { FlowSummary } from '../api/flows.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { spelledName } from '../ui/unseen-characters.ts';

const MAX_SUGGESTED = 12;

/** Edits the tags of a flow as one line of text. */
export function TagDialog({
  flow,
  known,
  onSave,
  onClose,
}: {
  flow: FlowSummary;
  /** Tags of other flows. */
  known: readonly string[];
  onSave: (tags: readonly string[]) => Promise<void>;
  onClose: () => void;
}) {
  const [text, setText] = useState(flow.tags.join(', '));
  const save = useMutation({ mutationFn: onSave });
  const tags = tagsIn(text);
  const others = known.filter((each) => !tags.includes(each)).slice(0, MAX_SUGGESTED);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!save.isPending) save.mutate(tags, { onSuccess: onClose });
  }
  return (
    <Dialog open title={`Tags of “${spelledName(flow.name)}”`} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <TextField
          label="Tags"
          hint="Separate them with commas. Everyone who can open the flow sees them."
          error={save.error ? sentenceOf(save.error) : undefined}
          data-first
          value={text}
          onText={setText}
        />
        {others.length > 0 && (
          <div className="flex flex-wrap gap-1.5">
            {others.map((name) => (
              <Button key={name} small onClick={() => setText([...tags, name].join(', '))}>
                Add {name}
              </Button>
            ))}
          </div>
        )}
        <FormFoot action="Save tags" busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

const tagsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
  ),
];
