import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { sentenceOf } from '../ui/state.tsx';

/** How a flow is called, and what it says about itself. */
export interface FlowDetails {
  readonly name: string;
  readonly description: string;
}

/** Changes the name and the description of a flow. */
export function DetailsDialog({
  details,
  onSave,
  onClose,
}: {
  details: FlowDetails;
  /** Gets what changed. */
  onSave: (changed: Partial<FlowDetails>) => Promise<void>;
  onClose: () => void;
}) {
  const [name, setName] = useState(details.name);
  const [description, setDescription] = useState(details.description);
  const save = useMutation({ mutationFn: onSave });
  const isEmpty = name.trim() === '';
  function submit(event: FormEvent) {
    event.preventDefault();
    if (save.isPending || isEmpty) return;
    const changed = {
      ...(name.trim() !== details.name && { name: name.trim() }),
      ...(description !== details.description && { description }),
    };
    if (Object.keys(changed).length === 0) onClose();
    else save.mutate(changed, { onSuccess: onClose });
  }
  return (
    <Dialog open title="Rename the flow" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label="Name"
          error={isEmpty ? 'A flow needs a name.' : save.error ? sentenceOf(save.error) : undefined}
          data-first
          maxLength={200}
          value={name}
          onFocus={(event) => event.target.select()}
          onText={setName}
        />
        <TextField
          label="Description"
          hint="The list of flows shows it."
          maxLength={10_000}
          value={description}
          onText={setDescription}
        />
        <FormFoot action="Save" busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
