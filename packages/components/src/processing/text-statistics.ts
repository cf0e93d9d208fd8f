import type { CroftComponent } from '../services.ts';
import { toText } from '../values.ts';

/** Counts of a text. */
export const textStatistics: CroftComponent = {
  descriptor: {
    type: 'TextStatistics',
    label: 'Text statistics',
    description: 'Counts words, characters, lines and paragraphs of a text.',
    category: 'processing',
    icon: 'hash',
    keywords: ['word count'],
    effects: ['none'],
    fields: [
      {
        name: 'text_input',
        label: 'Text',
        kind: 'multiline',
        accepts: ['Message'],
        required: true,
        toolParameter: true,
      },
    ],
    outputs: [{ name: 'data', label: 'Counts', types: ['Data'] }],
  },
  run({ inputs }) {
    const text = toText(inputs['text_input']);
    const words = text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
    return {
      data: {
        words: words.length,
        characters: [...text].length,
        lines: text === '' ? 0 : text.split('\n').length,
        paragraphs: text.split(/\n\s*\n/).filter((part) => part.trim() !== '').length,
      },
    };
  },
};
