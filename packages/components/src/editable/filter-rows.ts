import { Component, OPERATORS, requireColumn, requireNumbers, toRows, toText, valueAt } from './component.ts';

/** Rows that meet a condition. */
export class FilterRows extends Component {
  label = 'Filter rows';
  description = 'Keeps the rows whose column meets a condition.';
  icon = 'filter';
  inputs = [
    { name: 'df', label: 'Rows', kind: 'handle', accepts: ['Table', 'Data'], list: true, required: true },
    {
      name: 'column_name',
      label: 'Column',
      kind: 'text',
      default: '',
      variables: false,
      required: true,
      help: 'A name, or a path such as address.city.',
      accepts: [],
    },
    {
      name: 'operator',
      label: 'Condition',
      kind: 'select',
      options: [
        'equals',
        'not equals',
        'contains',
        'not contains',
        'starts with',
        'ends with',
        'greater than',
        'less than',
        'greater than or equal',
        'less than or equal',
        'is one of',
        'is not one of',
        'is empty',
        'is not empty',
      ],
      default: 'equals',
    },
    {
      name: 'filter_value',
      label: 'Value',
      kind: 'text',
      accepts: ['Message'],
      default: '',
      requiredWhen: {
        field: 'operator',
        is: [
          'contains',
          'not contains',
          'starts with',
          'ends with',
          'greater than',
          'less than',
          'greater than or equal',
          'less than or equal',
          'is one of',
          'is not one of',
        ],
      },
      help: 'Several values of “is one of” are separated by commas.',
    },
  ];
  outputs = [{ name: 'output', label: 'Rows', types: ['Table'] }];
  df: unknown;
  column_name: unknown;
  operator: unknown;
  filter_value: unknown;

  run() {
    const test = OPERATORS[String(this.operator)] as (value: string, other: string) => boolean;
    const other = toText(this.filter_value);
    const path = String(this.column_name);
    const rows = toRows(this.df);
    requireColumn(rows, path);
    requireNumbers(rows, path, String(this.operator), other);
    return { output: rows.filter((row) => test(toText(valueAt(row, path)), other)) };
  }
}
