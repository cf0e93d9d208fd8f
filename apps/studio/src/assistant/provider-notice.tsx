import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { assistantConfigQuery } from '../api/assistant.ts';
import { modelsQuery } from '../api/models.ts';
import { ProviderSetUp } from '../inspector/model-control.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { Callout } from '../ui/state.tsx';

/** Says that rules answer instead of a model, and offers to set a provider up. Nothing where one is set up. */
export function ProviderNotice() {
  const { data } = useQuery(assistantConfigQuery);
  const [isOpen, setIsOpen] = useState(false);
  if (data === undefined || (data.configured && !isOpen)) return null;
  return (
    <Callout icon={<KeyRound size={16} />}>
      <p>
        No model provider is set up. <span className="font-mono text-xs">croft/offline</span> answers by rules: it
        understands simple requests to build, change and run a flow.
      </p>
      <Button
        small
        className="mt-2"
        data-testid="assistant-no-models-configure-providers"
        onClick={() => setIsOpen(true)}
      >
        Set up a provider
      </Button>
      <Dialog
        open={isOpen}
        title="Set up a model provider"
        about="The assistant and the flows that you run use it."
        onClose={() => setIsOpen(false)}
      >
        <Providers />
      </Dialog>
    </Callout>
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
