import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelsQuery } from '../api/models.ts';
import { ProviderSetUp } from '../inspector/model-control.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';

/** Asks for the key of a model provider. */
export function ProviderDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={isOpen}
      title="Set up a model provider"
      about="The assistant and the flows that you run use it."
      onClose={onClose}
    >
      <Providers />
    </Dialog>
  );
}

function Providers() {
  const { data } = useQuery(modelsQuery);
  const [name, setName] = useState('');
  const list = (data?.providers ?? []).filter((each) => each.missing.length > 0 || each.enabled);
  const chosen = list.find((each) => each.name === name);
  return (
    <div className="grid gap-4">
      <Field label="Provider">
        {(control) => (
          <Select {...control} data-first value={name} onChange={(event) => setName(event.target.value)}>
            <option value="">Choose a provider</option>
            {list.map((each) => (
              <option key={each.name} value={each.name}>
                {each.name}
                {each.enabled ? ' (set up)' : ''}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {chosen?.enabled === true && <p className="text-sm text-soft">{chosen.name} is ready.</p>}
      {chosen && !chosen.enabled && <ProviderSetUp key={chosen.name} provider={chosen} />}
    </div>
  );
}
