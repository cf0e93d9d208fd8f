import type { CroftComponent } from '../services.ts';
import { message, toText } from '../values.ts';

/** Several texts as one. */
export const combineText: CroftComponent = {
  descriptor: {
    type: 'CombineText',
    label: 'Combine text',
    description: 'Joins texts, in the order of their connections.',
    category: 'processing',
    icon: 'merge',
    effects: ['none'],
    fields: [
      { name: 'texts', label: 'Texts', kind: 'handle', accepts: ['Message'], list: true },
      { name: 'text1', label: 'First text', kind: 'text', accepts: ['Message'], default: '', advanced: true },
      { name: 'text2', label: 'Second text', kind: 'text', accepts: ['Message'], default: '', advanced: true },
      { name: 'delimiter', label: 'Between them', kind: 'text', default: ' ', variables: false },
    ],
    outputs: [{ name: 'combined_text', label: 'Text', types: ['Message'] }],
  },
  run({ inputs }) {
    const several = Array.isArray(inputs['texts']) ? inputs['texts'] : [];
    const texts = [inputs['text1'], inputs['text2'], ...several].map(toText).filter((text) => text !== '');
    return { combined_text: message(texts.join(String(inputs['delimiter']))) };
  },
};
