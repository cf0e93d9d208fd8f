import type { CroftComponent } from '../services.ts';

/** The first value that arrived: where branches meet again. */
export const firstAvailable: CroftComponent = {
  descriptor: {
    type: 'FirstAvailable',
    label: 'First available',
    description: 'Gives the value of the branch that was taken.',
    category: 'logic',
    icon: 'git-merge',
    aliases: ['Pass'],
    effects: ['none'],
    fields: [
      {
        name: 'values',
        label: 'Values',
        kind: 'handle',
        accepts: ['Message', 'Data', 'Table', 'File', 'Any'],
        list: true,
        keepsLists: true,
        required: true,
      },
    ],
    outputs: [{ name: 'value', label: 'Value', types: ['Message', 'Data', 'Table', 'File', 'Any'] }],
  },
  run({ inputs }) {
    const [first] = inputs['values'] as readonly unknown[];
    return { value: first };
  },
};
