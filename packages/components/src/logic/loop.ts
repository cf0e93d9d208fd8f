import type { CroftComponent } from '../services.ts';
import { toRows } from '../values.ts';

/** The body of the loop runs once for each row; `done` has what came back. */
export const loop: CroftComponent = {
  descriptor: {
    type: 'LoopComponent',
    label: 'Loop',
    description:
      'Runs the components after "item" once for each row. Connect the end of the body back to "item"; "done" has all results.',
    category: 'logic',
    icon: 'iteration-ccw',
    aliases: ['Loop'],
    control: 'loop',
    effects: ['none'],
    fields: [{ name: 'data', label: 'Rows', kind: 'handle', accepts: ['Table', 'Data', 'Message'], required: true }],
    outputs: [
      { name: 'item', label: 'Item', types: ['Data'], loop: true },
      { name: 'done', label: 'Done', types: ['Table'] },
    ],
  },
  run: ({ inputs }) => ({ item: toRows(inputs['data']) }),
};
