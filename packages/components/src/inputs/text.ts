import type { CroftComponent } from '../services.ts';
import { message, toText } from '../values.ts';

/** A text that the flow's author writes, or that a run brings. */
export const textInput: CroftComponent = {
  descriptor: {
    type: 'TextInput',
    label: 'Text input',
    description: 'A text for the flow. Names in braces become inputs.',
    category: 'input and output',
    icon: 'text',
    boundary: 'input',
    effects: ['none'],
    fields: [{ name: 'input_value', label: 'Text', kind: 'multiline', accepts: ['Message'], default: '' }],
    outputs: [{ name: 'text', label: 'Text', types: ['Message'] }],
  },
  run: ({ inputs }) => ({ text: message(toText(inputs['input_value'])) }),
};

/** A text as a result of the flow. */
export const textOutput: CroftComponent = {
  descriptor: {
    type: 'TextOutput',
    label: 'Text output',
    description: 'Gives a text as a result of the flow.',
    category: 'input and output',
    icon: 'text-cursor',
    boundary: 'output',
    effects: ['none'],
    fields: [{ name: 'input_value', label: 'Text', kind: 'multiline', accepts: ['Message'], required: true }],
    outputs: [{ name: 'text', label: 'Text', types: ['Message'] }],
  },
  run: ({ inputs }) => ({ text: message(toText(inputs['input_value'])) }),
};
