import type { Json } from '@croft/flow';
import { Checkbox } from '../ui/checkbox.tsx';
import { Select } from '../ui/input.tsx';
import { Switch } from '../ui/switch.tsx';
import type { ValueControl } from './text-control.tsx';

/** One of several options. A stored value that the options do not have stays visible. */
export function SelectControl({
  control,
  value,
  onValue,
  disabled,
  options,
  required,
}: ValueControl<string> & { options: readonly string[]; required?: boolean | undefined }) {
  const isKnown = value === '' || options.includes(value);
  return (
    <Select
      {...control}
      disabled={disabled}
      required={required}
      value={value}
      onChange={(event) => onValue(event.target.value)}
    >
      {!options.includes('') && value === '' && <option value="">Choose…</option>}
      {!isKnown && <option value={value}>{value} (not available)</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {option === '' ? 'None' : option}
        </option>
      ))}
    </Select>
  );
}

/** On or off. */
export function SwitchControl({ control, value, onValue, disabled }: ValueControl<boolean>) {
  return <Switch {...control} disabled={disabled} checked={value} onCheckedChange={onValue} />;
}

/** Any number of options. */
export function MultiselectControl({
  control,
  value,
  onValue,
  disabled,
  options,
  label,
}: ValueControl<Json> & { options: readonly string[]; label: string }) {
  const chosen = Array.isArray(value) ? (value as readonly Json[]) : [];
  const all = [...options, ...chosen.filter((each) => !options.includes(each as string)).map(String)];
  return (
    <fieldset {...control} disabled={disabled} className="grid gap-1 rounded-md border border-line p-2">
      <legend className="sr-only">{label}</legend>
      {all.map((option) => (
        <label key={option} className="flex min-h-8 items-center gap-2.5 rounded-sm px-1 text-sm hovered:bg-hover">
          <Checkbox
            checked={chosen.includes(option)}
            onCheckedChange={(isChosen) =>
              onValue(
                isChosen
                  ? all.filter((each) => each === option || chosen.includes(each))
                  : chosen.filter((each) => each !== option),
              )
            }
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">{option}</span>
        </label>
      ))}
    </fieldset>
  );
}
