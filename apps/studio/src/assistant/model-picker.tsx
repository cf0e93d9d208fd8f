import { useQuery } from '@tanstack/react-query';
import { assistantConfigQuery } from '../api/assistant.ts';
import { modelText } from './cost-text.ts';
import { OFFLINE } from './starters.ts';
import { Select } from '../ui/input.tsx';

const SET_UP = '+';

/** The model that answers. Offers models of providers that are set up, and to set another one up. */
export function ModelPicker({
  model,
  onModel,
  onSetUp,
}: {
  model: string;
  onModel: (model: string) => void;
  onSetUp: () => void;
}) {
  const { data } = useQuery(assistantConfigQuery);
  const models = (data?.providers ?? []).flatMap(({ name, models: known }) =>
    known.map((each) => `${name}/${each.name}`),
  );
  const preferred = data === undefined ? '' : `${data.default_provider}/${data.default_model}`;
  return (
    <Select
      aria-label="Model"
      className="min-h-8! min-w-0 shrink py-1! text-xs! max-sm:min-h-8!"
      value={model === preferred ? '' : model}
      onChange={({ target }) => (target.value === SET_UP ? onSetUp() : onModel(target.value))}
    >
      <option value="">{preferred === '' ? 'Preferred model' : modelText(preferred)}</option>
      {models
        .filter((each) => each !== preferred)
        .map((each) => (
          <option key={each} value={each}>
            {modelText(each)}
          </option>
        ))}
      {/* A model that was chosen before its provider was removed is still said. */}
      {!['', preferred, OFFLINE, ...models].includes(model) && <option value={model}>{model} (not set up)</option>}
      {preferred !== OFFLINE && <option value={OFFLINE}>{OFFLINE}</option>}
      <option value={SET_UP}>Set up another provider…</option>
    </Select>
  );
}
