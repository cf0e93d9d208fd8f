import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { MODELS_KEY, variablesQuery } from '../api/models.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/input.tsx';
import { TextField } from '../ui/text-field.tsx';
import { sentenceOf } from '../ui/state.tsx';
import type { ValueControl } from './text-control.tsx';

/** The name of a variable that holds a secret. The page never has its value, except while a new one is typed. */
export function SecretControl({ control, value, onValue, disabled }: ValueControl<string>) {
  const { data, isSuccess } = useQuery(variablesQuery);
  const variables = data ?? [];
  const [isAdding, setIsAdding] = useState(false);
  const isKnown = value === '' || variables.some(({ name }) => name === value);
  return (
    <div className="grid grid-cols-1 gap-2">
      <Select {...control} disabled={disabled} value={value} onChange={(event) => onValue(event.target.value)}>
        <option value="">None</option>
        {!isKnown && <option value={value}>{shownName(value)}</option>}
        {variables.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      {isSuccess && !isKnown && (
        <p role="alert" className="text-sm text-bad">
          {isName(value)
            ? 'You have no secret of this name, so a run fails here. Choose another one, or store it as a new secret.'
            : 'The flow has the secret itself, and everyone who opens the flow can read it. Store it as a new secret.'}
        </p>
      )}
      {isAdding ? (
        <NewSecret
          onDone={(name) => {
            setIsAdding(false);
            if (name !== undefined) onValue(name);
          }}
        />
      ) : (
        !disabled && (
          <Button small className="justify-self-start" onClick={() => setIsAdding(true)}>
            <Plus size={15} aria-hidden="true" /> New secret
          </Button>
        )
      )}
    </div>
  );
}

/** A value that does not name a variable may be the secret itself, from an import. */
const isName = (value: string) => /^[A-Za-z_][\w.-]{0,63}$/.test(value);

const shownName = (value: string) => (isName(value) ? `${value} (not stored)` : 'A value of the flow');

function NewSecret({ onDone }: { onDone: (name?: string) => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isWhole = name.trim() !== '' && value !== '';
  async function save() {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await api('PUT /api/v1/variables/{name}', { params: { name: name.trim() }, body: { value } });
      await client.invalidateQueries({ queryKey: MODELS_KEY });
      onDone(name.trim());
    } catch (error) {
      setProblem(sentenceOf(error));
      setIsBusy(false);
    }
  }
  return (
    <section aria-label="New secret" className="grid gap-3 rounded-md border border-line bg-sunken p-3">
      <TextField label="Name" autoFocus spellCheck={false} value={name} onText={setName} />
      <TextField
        label="Value"
        hint="Croft stores it encrypted, for you alone, and never shows it again."
        error={problem}
        type="password"
        value={value}
        onText={setValue}
        onKeyDown={(event) => event.key === 'Enter' && isWhole && void save()}
      />
      <div className="flex gap-2">
        <Button small busy={isBusy} disabled={!isWhole} onClick={() => void save()}>
          Save
        </Button>
        <Button small look="quiet" onClick={() => onDone()}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
