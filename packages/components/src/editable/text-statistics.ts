import { Component, toText } from './component.ts';

/** Counts of a text. */
export class TextStatistics extends Component {
  label = 'Text statistics';
  description = 'Counts words, characters, lines and paragraphs of a text.';
  icon = 'hash';
  inputs = [
    { name: 'text_input', label: 'Text', kind: 'multiline', accepts: ['Message'], required: true, toolParameter: true },
  ];
  outputs = [{ name: 'data', label: 'Counts', types: ['Data'] }];
  text_input: unknown;

  run() {
    const text = toText(this.text_input);
    const words = text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
    return {
      data: {
        words: words.length,
        characters: [...text].length,
        lines: text === '' ? 0 : text.split('\n').length,
        paragraphs: text.split(/\n\s*\n/).filter((part) => part.trim() !== '').length,
      },
    };
  }
}
