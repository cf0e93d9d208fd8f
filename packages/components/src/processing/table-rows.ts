import type { Field } from '@croft/flow';
import type { CroftComponent } from '../services.ts';
import { compareValues, toRows, toText, valueAt } from '../values.ts';

const rows: Field = {
  name: 'df',
  label: 'Rows',
  kind: 'handle',
  accepts: ['Table', 'Data'],
  list: true,
  required: true,
};
const column: Field = {
  name: 'column_name',
  label: 'Column',
  kind: 'text',
  default: '',
  variables: false,
  required: true,
  help: 'A name, or a path such as address.city.',
};

/** The comparisons of a filter and of a condition, by their names. */
export const OPERATORS: Readonly<Record<string, (value: string, other: string) => boolean>> = {
  equals: (value, other) => value === other,
  'not equals': (value, other) => value !== other,
  contains: (value, other) => value.includes(other),
  'not contains': (value, other) => !value.includes(other),
  'starts with': (value, other) => value.startsWith(other),
  'ends with': (value, other) => value.endsWith(other),
  'greater than': (value, other) => compareValues(value, other) > 0,
  'less than': (value, other) => compareValues(value, other) < 0,
  'is empty': (value) => value.trim() === '',
  'is not empty': (value) => value.trim() !== '',
};

/** Rows that meet a condition. */
export const filterRows: CroftComponent = {
  descriptor: {
    type: 'FilterRows',
    label: 'Filter rows',
    description: 'Keeps the rows whose column meets a condition.',
    category: 'processing',
    icon: 'filter',
    effects: ['none'],
    fields: [
      rows,
      column,
      { name: 'operator', label: 'Condition', kind: 'select', options: Object.keys(OPERATORS), default: 'equals' },
      { name: 'filter_value', label: 'Value', kind: 'text', accepts: ['Message'], default: '' },
    ],
    outputs: [{ name: 'output', label: 'Rows', types: ['Table'] }],
  },
  run({ inputs }) {
    const test = OPERATORS[String(inputs['operator'])] as (value: string, other: string) => boolean;
    const other = toText(inputs['filter_value']);
    return {
      output: toRows(inputs['df']).filter((row) => test(toText(valueAt(row, String(inputs['column_name']))), other)),
    };
  },
};

/** Rows in order, and only the first of them. */
export const sortRows: CroftComponent = {
  descriptor: {
    type: 'SortRows',
    label: 'Sort rows',
    description: 'Sorts rows by a column, and keeps the first ones.',
    category: 'processing',
    icon: 'arrow-down-narrow-wide',
    effects: ['none'],
    fields: [
      rows,
      column,
      { name: 'ascending', label: 'Smallest first', kind: 'switch', default: true },
      { name: 'limit', label: 'Rows to keep', kind: 'integer', default: 0, min: 0, help: '0 keeps all.' },
    ],
    outputs: [{ name: 'output', label: 'Rows', types: ['Table'] }],
  },
  run({ inputs }) {
    const path = String(inputs['column_name']);
    const sign = inputs['ascending'] === true ? 1 : -1;
    const sorted = [...toRows(inputs['df'])].sort((a, b) => sign * compareValues(valueAt(a, path), valueAt(b, path)));
    const limit = Number(inputs['limit']);
    return { output: limit > 0 ? sorted.slice(0, limit) : sorted };
  },
};
