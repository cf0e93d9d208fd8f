import { takesVariables, type Field, type Json } from '@croft/flow';
import type { FieldControl as ControlAttributes } from '../ui/field.tsx';
import { MultiselectControl, SelectControl, SwitchControl } from './choice-control.tsx';
import { CodeControl } from './code-control.tsx';
import type { CodeProblem } from './code-view.ts';
import { FileControl, pathText } from './file-control.tsx';
import { FlowControl } from './flow-control.tsx';
import { JsonControl } from './json-control.tsx';
import { ModelControl } from './model-control.tsx';
import { isEscaped } from './node-fields.ts';
import { NumberControl } from './number-control.tsx';
import { KeyValueControl, TableControl } from './rows-control.tsx';
import { SecretControl } from './secret-control.tsx';
import { LongTextControl, TextControl, type ValueControl } from './text-control.tsx';
import { isLiveText, useDraft } from './use-draft.ts';

/** The properties of a field's control. */
export interface FieldControlProps extends ValueControl<Json> {
  readonly control: ControlAttributes;
  readonly field: Field;
  /** The flow, component and field, by which a text with an error is kept. */
  readonly place: string;
  /** Of a code field. */
  readonly problems: readonly CodeProblem[];
}

/** The control for the kind of a field. A value of another form than the field's is shown as JSON, so that it stays. */
export function FieldControl({ field, value, problems, place, ...rest }: FieldControlProps) {
  const { kind, label, placeholder, options = [] } = field;
  const text = value === null ? '' : value;
  switch (kind) {
    case 'switch':
      return <SwitchControl {...rest} value={value === true} />;
    case 'number':
    case 'integer':
    case 'slider':
      if (value !== null && typeof value !== 'number') break;
      return <NumberControl {...rest} field={field} value={value} />;
    case 'select':
      if (typeof text !== 'string') break;
      return <SelectControl {...rest} options={options} value={text} />;
    case 'multiselect':
      return <MultiselectControl {...rest} options={options} label={label} value={value} />;
    case 'table':
      if (!field.columns || !isRows(value)) break;
      return <TableControl {...rest} columns={field.columns} label={label} value={value ?? []} />;
    case 'key-value':
      if (!isRecord(value)) break;
      return <KeyValueControl {...rest} label={label} value={value ?? {}} />;
    case 'model':
    case 'embedding-model':
      return <ModelControl {...rest} label={label} value={value} embeds={kind === 'embedding-model'} />;
    case 'file':
      if (typeof text !== 'string' && !(Array.isArray(value) && value.length <= 1)) break;
      return <PathControl {...rest} value={pathText(value)} placeholder={placeholder} />;
    case 'secret':
      if (typeof text !== 'string') break;
      return <SecretControl {...rest} value={text} />;
    case 'flow':
      if (typeof text !== 'string') break;
      return <FlowControl {...rest} value={text} />;
    case 'text':
    case 'multiline':
    case 'code':
      if (typeof text === 'object') break;
      if (kind === 'code')
        return <CodeControl {...rest} label={label} language={field.language} problems={problems} value={`${text}`} />;
      if (kind === 'multiline')
        return (
          <LongTextControl {...rest} placeholder={placeholder} hasVariables={takesVariables(field)} value={`${text}`} />
        );
      return <TextControl {...rest} placeholder={placeholder} escaped={isEscaped(field)} value={`${text}`} />;
    case 'json':
    case 'handle':
  }
  return <JsonControl key={place} {...rest} label={label} value={value} place={place} />;
}

function PathControl({ value, onValue, ...rest }: ValueControl<string> & { placeholder: string | undefined }) {
  const draft = useDraft(value, onValue, isLiveText);
  return (
    <FileControl
      {...rest}
      value={draft.value}
      onValue={(path, isWhole) => (isWhole ? draft.commit(path) : draft.set(path))}
      onBlur={draft.flush}
    />
  );
}

type Row = Readonly<Record<string, Json>>;

const isRecord = (value: Json): value is Row | null =>
  value === null || (typeof value === 'object' && !Array.isArray(value));
const isRows = (value: Json): value is readonly Row[] | null =>
  value === null || (Array.isArray(value) && value.every((row: Json) => row !== null && isRecord(row)));
