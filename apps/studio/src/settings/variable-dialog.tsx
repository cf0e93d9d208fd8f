import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { MODELS_KEY, type UserVariable } from '../api/models.ts';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
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
          <Field label="Name">
            {(control) => (
              <Input
                {...control}
                data-first
                required
                autoComplete="off"
                spellCheck={false}
                placeholder="API_TOKEN"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        )}
        <Field label="Value" hint="Croft does not show it again.">
          {(control) => (
            <Input
              {...control}
              data-first={variable ? true : undefined}
              type={kind === 'credential' ? 'password' : 'text'}
              required
              autoComplete="off"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
        <Field label="Kind">
          {(control) => (
            <Select {...control} value={kind} onChange={({ target }) => setKind(target.value as typeof kind)}>
              <option value="credential">Credential: hidden in runs</option>
              <option value="text">Text: runs and logs may show it</option>
            </Select>
          )}
        </Field>
        <Field
          label="Hosts (optional)"
          hint="Where requests of a flow may send it, such as api.example.com. Keys of model providers need none."
          error={save.error ? sentenceOf(save.error) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              value={hosts}
              onChange={(event) => setHosts(event.target.value)}
            />
          )}
        </Field>
        <FormFoot action="Save" busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
