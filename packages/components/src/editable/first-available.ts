import { Component } from './component.ts';

/** The first value that arrived: where branches meet again. */
export class FirstAvailable extends Component {
  label = 'First available';
  description = 'Gives the value of the branch that was taken.';
  icon = 'git-merge';
  inputs = [
    {
      name: 'values',
      label: 'Values',
      kind: 'handle',
      accepts: ['Message', 'Data', 'Table', 'File', 'Any'],
      list: true,
      keepsLists: true,
      required: true,
    },
  ];
  outputs = [{ name: 'value', label: 'Value', types: ['Message', 'Data', 'Table', 'File', 'Any'] }];
  values: unknown;

  run() {
    const [first] = this.values as readonly unknown[];
    return { value: first };
  }
}
