import type { Json } from '@croft/flow';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, KeyRound } from 'lucide-react';
import { useId, useState } from 'react';
import { api } from '../api/api.ts';
import { MODELS_KEY, modelsQuery, type ModelProvider } from '../api/models.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { embeddingProviders, LEXICAL_EMBEDDER, modelText, readModel } from './model-value.ts';
import type { ValueControl } from './text-control.tsx';
import { draftInput, isLiveText, useDraft } from './use-draft.ts';

/** A provider and one of its models. A provider that is not ready can be set up below. */
export function ModelControl({
  control,
  value,
  onValue,
  disabled,
  label,
  embeds = false,
}: ValueControl<Json> & { label: string; embeds?: boolean }) {
  const { data, error, refetch } = useQuery(modelsQuery);
  const models = embeds ? embeddingProviders(data?.providers ?? []) : (data?.providers ?? []);
  const { provider, name } = readModel(embeds && value === LEXICAL_EMBEDDER ? null : value, models);
  const current = models.find((each) => each.name === provider);
  const preferred = data && `${data.preferred.provider}${data.preferred.name ? `/${data.preferred.name}` : ''}`;
  const empty = preferred === undefined ? 'Your preferred model' : `Preferred: ${preferred}`;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Select
        {...control}
        disabled={disabled}
        value={provider}
        onChange={(event) => onValue(event.target.value === '' ? null : modelText(event.target.value, ''))}
      >
        <option value="">{embeds ? `${LEXICAL_EMBEDDER} (needs no key)` : empty}</option>
        {provider !== '' && !current && <option value={provider}>{provider}</option>}
        {models.map((each) => (
          <option key={each.name} value={each.name}>
            {each.name}
            {each.enabled ? '' : ' (not set up)'}
          </option>
        ))}
      </Select>
      {provider !== '' && (
        <ModelName
          key={provider}
          provider={current}
          label={`${label}: name of the model`}
          placeholder={embeds ? 'Name of the model' : 'Model, empty for the default'}
          value={name}
          disabled={disabled}
          onValue={(next) => onValue(modelText(provider, next))}
        />
      )}
      {error && !data && (
        <Callout tone="bad" icon={<CircleAlert size={16} />}>
          The providers cannot be listed. {sentenceOf(error)}{' '}
          <button type="button" className="underline underline-offset-2" onClick={() => void refetch()}>
            Try again
          </button>
        </Callout>
      )}
      {current?.enabled === true && current.missing.length === 0 && (
        <p className="flex items-center gap-1.5 text-sm text-soft">
          <CircleCheck size={15} aria-hidden="true" className="text-accent" /> {current.name} is ready
        </p>
      )}
      {current && !current.enabled && !disabled && <ProviderSetUp key={`set up ${current.name}`} provider={current} />}
    </div>
  );
}

function ModelName({
  provider,
  label,
  placeholder,
  value,
  disabled,
  onValue,
}: {
  provider: ModelProvider | undefined;
  /** For a provider without a known model. */
  placeholder: string;
  label: string;
  value: string;
  disabled: boolean;
  onValue: (value: string) => void;
}) {
  const list = useId();
  const draft = useDraft(value, onValue, isLiveText);
  const [first] = provider?.models ?? [];
  return (
    <>
      <Input
        aria-label={label}
        list={list}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        placeholder={first === undefined ? placeholder : `${first} (default)`}
        {...draftInput(draft)}
      />
      <datalist id={list}>
        {provider?.models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </>
  );
}

/** Asks for the values that a provider needs or can have. The server encrypts them and never returns them. */
export function ProviderSetUp({
  provider: { name, missing, optional, exampleUrl },
  onSaved,
}: {
  provider: ModelProvider;
  onSaved?: () => void;
}) {
  const client = useQueryClient();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const given = (variable: string) => (values[variable] ?? '').trim();
  const isWhole = missing.every((each) => given(each) !== '');
  const asked = [...missing, ...optional];
  async function save() {
    setIsBusy(true);
    setProblem(undefined);
    try {
      for (const variable of asked.filter((each) => given(each) !== '')) {
        const kind = isSecret(variable) ? ('credential' as const) : ('text' as const);
        const body = { value: given(variable), kind };
        await api('PUT /api/v1/variables/{name}', { params: { name: variable }, body });
      }
      toast({ text: `${name} is set up.` });
      await client.invalidateQueries({ queryKey: MODELS_KEY });
      onSaved?.();
    } catch (error) {
      setProblem(sentenceOf(error));
      setIsBusy(false);
    }
  }
  return (
    <section aria-label={`Set up ${name}`} className="grid gap-3 rounded-md border border-line bg-sunken p-3">
      <p className="flex items-center gap-2 text-sm font-medium">
        <KeyRound size={15} aria-hidden="true" /> {name} is not set up
      </p>
      {asked.map((variable, index) => (
        <Field
          key={variable}
          label={optional.includes(variable) ? `${variable} (if your server needs one)` : variable}
          hint={index === asked.length - 1 && hintFor(asked)}
          error={index === asked.length - 1 ? problem : undefined}
        >
          {(control) => (
            <Input
              {...control}
              type={isSecret(variable) ? 'password' : 'text'}
              placeholder={isSecret(variable) ? undefined : (exampleUrl ?? undefined)}
              autoComplete="off"
              spellCheck={false}
              value={values[variable] ?? ''}
              onChange={(event) => setValues((before) => ({ ...before, [variable]: event.target.value }))}
              onKeyDown={(event) => event.key === 'Enter' && isWhole && void save()}
            />
          )}
        </Field>
      ))}
      <Button small busy={isBusy} disabled={!isWhole} className="justify-self-start" onClick={() => void save()}>
        Save
      </Button>
    </section>
  );
}

function hintFor(variables: readonly string[]): string {
  const stored = 'Croft stores it encrypted, for you alone, and never shows it again.';
  if (variables.every(isSecret)) return stored;
  return `${stored} An address of this machine or your network has to be in CROFT_FLOW_HOSTS, which the operator of the server sets.`;
}

const isSecret = (variable: string) => /key|token|secret|password/i.test(variable);
