import type { Json } from '@croft/flow';
import { Play, Square } from 'lucide-react';
import type { FormEvent, KeyboardEvent, Ref } from 'react';
import { useKeptInput } from '../shell/use-kept-input.ts';
import { Button } from '../ui/button.tsx';
import { SelectControl } from '../inspector/choice-control.tsx';
import { FileControl, pathText } from '../inspector/file-control.tsx';
import { Field, type FieldControl } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { fieldKey, type FormValues, NO_VALUES, type RunField } from './run-fields.ts';

/** The inputs of a flow and the button that runs it, or stops the run. Ctrl+Enter runs too. */
export function RunForm({
  flowId,
  form,
  fields,
  isUnderWay,
  isBeginning,
  isBlocked,
  onRun,
  onStop,
}: {
  flowId: string;
  form?: Ref<HTMLFormElement> | undefined;
  fields: readonly RunField[];
  isUnderWay: boolean;
  /** It is under way and cannot be stopped yet. */
  isBeginning: boolean;
  isBlocked: boolean;
  onRun: (values: FormValues) => void;
  onStop: () => void;
}) {
  const [values, setValues] = useKeptInput(`run-${flowId}`, NO_VALUES);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isUnderWay && !isBlocked) onRun(values);
  }
  function submitByKey(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    // Checks the fields first, as the button does.
    event.currentTarget.requestSubmit();
  }
  return (
    <form ref={form} onSubmit={submit} onKeyDown={submitByKey} className="grid gap-3">
      <RunFields fields={fields} values={values} onValues={setValues} />
      {/* On a phone above the bar at the foot of the page, however long the form is. */}
      <div className="grid bg-surface py-1 max-md:sticky max-md:bottom-15 max-md:z-10">
        {isUnderWay && !isBeginning ? (
          <Button key="stop" onClick={onStop}>
            <Square size={15} aria-hidden="true" /> Stop
          </Button>
        ) : (
          <Button key="run" type="submit" look="primary" disabled={isBlocked} busy={isBeginning}>
            <Play size={16} aria-hidden="true" /> Run
          </Button>
        )}
      </div>
    </form>
  );
}

/** Fields of a run, their values, and what gets changed values. */
export interface RunInputs {
  readonly fields: readonly RunField[];
  readonly values: FormValues;
  readonly onValues: (values: FormValues) => void;
}

/** The inputs of a flow. */
export function RunFields({ fields, values, onValues }: RunInputs) {
  return fields.map((each) => {
    const key = fieldKey(each);
    const { field, group } = each;
    return (
      <Field
        key={key}
        label={group ? `${group}: ${field.label}` : field.label}
        hint={field.kind === 'file' ? field.help : undefined}
      >
        {(control) => (
          <Control
            control={control}
            field={field}
            value={values[key] ?? each.value}
            onValue={(value) => onValues({ ...values, [key]: value })}
          />
        )}
      </Field>
    );
  });
}

function Control({
  control,
  field: { kind, options, min, max, step, required, placeholder },
  value,
  onValue,
}: {
  control: FieldControl;
  field: RunField['field'];
  value: Json;
  onValue: (value: Json) => void;
}) {
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  if (kind === 'switch')
    return (
      <input
        {...control}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onValue(event.target.checked)}
        className="size-5 justify-self-start"
      />
    );
  if (kind === 'select')
    return (
      <SelectControl
        control={control}
        disabled={false}
        required={required}
        options={options ?? []}
        value={text}
        onValue={onValue}
      />
    );
  if (kind === 'number' || kind === 'integer' || kind === 'slider')
    return (
      <Input
        {...control}
        type="number"
        min={min}
        max={max}
        step={kind === 'integer' ? 1 : (step ?? 'any')}
        required={required}
        value={text}
        onChange={(event) => onValue(event.target.value === '' ? null : event.target.valueAsNumber)}
      />
    );
  if (kind === 'multiline')
    return (
      <textarea
        {...control}
        rows={3}
        required={required}
        placeholder={placeholder}
        value={text}
        onChange={(event) => onValue(event.target.value)}
        className="w-full rounded-md border border-edge bg-surface px-3 py-2 text-base"
      />
    );
  if (kind === 'file')
    return (
      <FileControl
        control={control}
        required={required}
        placeholder={placeholder}
        value={pathText(value)}
        onValue={onValue}
      />
    );
  return (
    <Input
      {...control}
      required={required}
      placeholder={placeholder}
      value={text}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
