import { Component, toRows } from './component.ts';

/** Runs the body of the loop once for each row; `done` has the results. */
export class LoopComponent extends Component {
  label = 'Loop';
  description =
    'Runs the components after "item" once for each row. Connect the end of the body back to "item"; "done" has all results.';
  icon = 'iteration-ccw';
  inputs = [{ name: 'data', label: 'Rows', kind: 'handle', accepts: ['Table', 'Data', 'Message'], required: true }];
  outputs = [
    { name: 'item', label: 'Item', types: ['Data', 'Message', 'File'], loop: true },
    { name: 'done', label: 'Done', types: ['Table'] },
  ];
  data: unknown;

  run() {
    return { item: toRows(this.data) };
  }
}
