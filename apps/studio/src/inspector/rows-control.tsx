import type { Field, Json } from '@croft/flow';
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Input, Select } from '../ui/input.tsx';
import { isSame } from './node-fields.ts';
import type { ValueControl } from './text-control.tsx';
import { useDraft } from './use-draft.ts';

type Column = NonNullable<Field['columns']>[number];
type Row = Readonly<Record<string, Json>>;

/** Rows of named cells. Each change is committed after a pause. */
export function TableControl({
  control,
  value,
  onValue,
  disabled,
  columns,
  label,
}: ValueControl<readonly Row[]> & { columns: readonly Column[]; label: string }) {
  const draft = useDraft(value, onValue);
  const box = useRef<HTMLDivElement>(null);
  const adds = useRef<HTMLButtonElement>(null);
  const rows = draft.value;
  const change = (at: number, row: Row) => draft.set(rows.map((each, index) => (index === at ? row : each)));
  function add() {
    draft.commit([...rows, Object.fromEntries(columns.map((column) => [column.name, emptyCell(column)]))]);
    requestAnimationFrame(() => lastRow(box.current)?.querySelector<HTMLElement>('input, select')?.focus());
  }
  return (
    <div
      ref={box}
      id={control.id}
      role="group"
      aria-label={label}
      aria-describedby={control['aria-describedby']}
      onBlur={draft.flush}
      className="grid grid-cols-1 gap-2"
    >
      {rows.map((row, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no identity of their own
        <div
          key={at}
          role="group"
          aria-label={`Row ${at + 1}`}
          className="flex items-start gap-1 rounded-md border border-line p-2"
        >
          <div className={columns.length > 1 ? 'grid min-w-0 grow grid-cols-2 gap-2' : 'min-w-0 grow'}>
            {columns.map((column) => (
              <Cell
                key={column.name}
                column={column}
                isOnly={columns.length === 1}
                name={`${column.label}, row ${at + 1}`}
                value={row[column.name] ?? emptyCell(column)}
                disabled={disabled}
                onValue={(cell) => change(at, { ...row, [column.name]: cell })}
              />
            ))}
          </div>
          <IconButton
            label={`Remove row ${at + 1}`}
            disabled={disabled}
            className="size-8 text-soft"
            onClick={() => {
              // The clicked button is about to be removed.
              adds.current?.focus();
              draft.commit(rows.filter((_, index) => index !== at));
            }}
          >
            <X size={16} />
          </IconButton>
        </div>
      ))}
      <Button ref={adds} small disabled={disabled} className="justify-self-start" onClick={add}>
        <Plus size={15} aria-hidden="true" /> Add a row
      </Button>
    </div>
  );
}

const emptyCell = ({ kind, options }: Column): Json => (kind === 'switch' ? false : (options?.[0] ?? ''));
const lastRow = (box: HTMLElement | null) => [...(box?.querySelectorAll('[role=group]') ?? [])].at(-1);

function Cell({
  column: { label, kind, options = [] },
  isOnly,
  name,
  value,
  disabled,
  onValue,
}: {
  column: Column;
  isOnly: boolean;
  /** For screen readers. */
  name: string;
  value: Json;
  disabled: boolean;
  onValue: (value: Json) => void;
}) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (kind === 'switch')
    return (
      <label className="flex min-h-8 items-center gap-2 self-end text-sm">
        <Checkbox aria-label={name} checked={value === true} disabled={disabled} onCheckedChange={onValue} />
        {label}
      </label>
    );
  return (
    <label className="grid min-w-0 gap-0.5 text-xs text-soft">
      {!isOnly && label}
      {kind === 'select' ? (
        <Select
          aria-label={name}
          value={text}
          disabled={disabled}
          onChange={(event) => onValue(event.target.value)}
          className="text-sm"
        >
          {!options.includes(text) && <option value={text}>{text}</option>}
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </Select>
      ) : (
        <Input
          aria-label={name}
          placeholder={isOnly ? label : undefined}
          value={text}
          disabled={disabled}
          onChange={(event) => onValue(event.target.value)}
          className="text-sm"
        />
      )}
    </label>
  );
}

const PAIR: readonly Column[] = [
  { name: 'name', label: 'Name', kind: 'text' },
  { name: 'value', label: 'Value', kind: 'text' },
];

/** Names with values, stored as one object. Numbers, lists and objects are written as JSON. */
export function KeyValueControl({ value, onValue, ...rest }: ValueControl<Row> & { label: string }) {
  // A new row has no name yet, and an object cannot hold it.
  const [state, setState] = useState({ value, rows: pairsOf(value) });
  const rows = isSame(state.value, value) ? state.rows : pairsOf(value);
  function change(next: readonly Row[]) {
    const read = readPairs(next);
    setState({ value: read, rows: next });
    if (!isSame(read, value)) onValue(read);
  }
  return <TableControl {...rest} columns={PAIR} value={rows} onValue={change} />;
}

/** The rows that show an object. */
export const pairsOf = (value: Row): readonly Row[] =>
  Object.entries(value).map(([name, each]) => ({ name, value: writePart(each) }));

const writePart = (value: Json): string =>
  typeof value === 'string' && readPart(value) === value ? value : JSON.stringify(value);

/** The object of rows. Rows without a name are left out; of two with the same name the last one counts. */
export function readPairs(rows: readonly Row[]): Row {
  const pairs = rows.map(({ name, value }): [string, Json] => [textOf(name), readPart(textOf(value))]);
  return Object.fromEntries(pairs.filter(([name]) => name !== '' && name !== '__proto__'));
}

const textOf = (cell: Json | undefined): string =>
  typeof cell === 'string' ? cell : cell === undefined ? '' : JSON.stringify(cell);

/** Numbers, true, false, null, texts in quotes, lists and objects are JSON; everything else is text. */
function readPart(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    // `1.0` and `007` stay texts: the number would be written in another way.
    return JSON.stringify(value) === text || (typeof value === 'object' && value !== null) ? value : text;
  } catch {
    return text;
  }
}
