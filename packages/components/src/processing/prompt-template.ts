import type { CroftComponent } from '../services.ts';
import { message, toText } from '../values.ts';

/** A text with places for values. */
export const promptTemplate: CroftComponent = {
  descriptor: {
    type: 'PromptTemplate',
    label: 'Prompt template',
    description: 'Writes a text from a template. Each {name} becomes an input; {name.path} reads a field of a record.',
    category: 'processing',
    icon: 'braces',
    aliases: ['Prompt', 'Prompt Template'],
    effects: ['none'],
    fields: [
      { name: 'template', label: 'Template', kind: 'multiline', default: '', required: true },
      {
        name: 'tool_placeholder',
        label: 'Wait for',
        kind: 'handle',
        accepts: ['Message', 'Data', 'Table', 'File', 'Any'],
        list: true,
        gate: true,
        advanced: true,
        help: 'The template waits for a value here and does not use it. On a branch that is not taken it does not run.',
      },
    ],
    outputs: [{ name: 'prompt', label: 'Prompt', types: ['Message'] }],
  },
  run: ({ inputs }) => ({ prompt: message(toText(inputs['template'])) }),
};
