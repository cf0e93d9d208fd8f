import { fillVariables } from '@croft/flow';
import type { CroftComponent } from '../services.ts';
import { message, toRows, toText } from '../values.ts';

/** Records as text, by a pattern. */
export const parser: CroftComponent = {
  descriptor: {
    type: 'ParserComponent',
    label: 'Parser',
    description: 'Writes each record as text by a pattern such as "{name}: {price}".',
    category: 'processing',
    icon: 'file-text',
    keywords: ['template', 'format', 'data to text'],
    aliases: ['parser', 'Parser'],
    effects: ['none'],
    fields: [
      { name: 'input_data', label: 'Data', kind: 'handle', accepts: ['Table', 'Data'], required: true },
      { name: 'mode', label: 'Mode', kind: 'select', options: ['Parser', 'Stringify'], default: 'Parser' },
      {
        name: 'pattern',
        label: 'Pattern',
        kind: 'multiline',
        default: 'Text: {text}',
        variables: false,
        showWhen: { field: 'mode', is: ['Parser'] },
      },
      { name: 'sep', label: 'Separator', kind: 'text', default: '\n', variables: false, advanced: true },
    ],
    outputs: [{ name: 'parsed_text', label: 'Text', types: ['Message'] }],
  },
  run({ inputs }) {
    const { input_data: data, mode, pattern, sep } = inputs;
    if (mode === 'Stringify')
      return { parsed_text: message(typeof data === 'object' ? JSON.stringify(data, null, 2) : toText(data)) };
    const texts = toRows(data).map((row) => fillVariables(String(pattern), (name) => row[name] ?? ''));
    return { parsed_text: message(texts.join(String(sep))) };
  },
};
