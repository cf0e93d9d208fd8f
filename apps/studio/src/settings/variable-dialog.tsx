import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { MODELS_KEY, type UserVariable } from '../api/models.ts';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { TextField } from '../ui/text-field.tsx';
import { sentenceOf } from '../ui/state.tsx';

/** Asks for a new variable, or for another value of one. */
export function VariableDialog({ variable, onClose }: { variable: UserVariable | undefined; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(variable?.name ?? '');
  const [value, setValue] = useState('');
  const [kind, setKind] = useState(variable?.kind ?? 'credential');
  const [hosts, setHosts] = useState(variable?.hosts.join(', ') ?? '');
  const save = useMutation({
    mutationFn: () =>
      api('PUT /api/v1/variables/{name}', {
        params: { name: name.trim() },
        body: { value, kind, hosts: hosts.split(/[\s,]+/).filter((host) => host !== '') },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: MODELS_KEY });
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  }
  return (
    <Dialog open title={variable ? `Replace ${variable.name}` : 'New variable'} onClose={onClose}>
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        {!variable && (
          <TextField
            label="Name"
            data-first
            required
            spellCheck={false}
            placeholder="API_TOKEN"
            value={name}
            onText={setName}
          />
        )}
        <TextField
          label="Value"
          hint="Croft does not show it again."
          data-first={variable ? true : undefined}
          type={kind === 'credential' ? 'password' : 'text'}
          required
          value={value}
          onText={setValue}
        />
        <Field label="Kind">
          {(control) => (
            <Select {...control} value={kind} onChange={({ target }) => setKind(target.value as typeof kind)}>
              <option value="credential">Credential: hidden in runs</option>
              <option value="text">Text: runs and logs may show it</option>
            </Select>
          )}
        </Field>
        <TextField
          label="Hosts (optional)"
          hint="Where requests of a flow may send it, such as api.example.com. Keys of model providers need none."
          error={save.error ? sentenceOf(save.error) : undefined}
          spellCheck={false}
          value={hosts}
          onText={setHosts}
        />
        <FormFoot action="Save" busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
