import { Component, message, toText } from './component.ts';

/** Several texts as one. */
export class CombineText extends Component {
  label = 'Combine text';
  description = 'Joins texts, in the order of their connections.';
  icon = 'merge';
  inputs = [
    { name: 'texts', label: 'Texts', kind: 'handle', accepts: ['Message'], list: true },
    { name: 'text1', label: 'First text', kind: 'text', accepts: ['Message'], default: '', advanced: true },
    { name: 'text2', label: 'Second text', kind: 'text', accepts: ['Message'], default: '', advanced: true },
    { name: 'delimiter', label: 'Between them', kind: 'text', default: ' ', variables: false, accepts: [] },
  ];
  outputs = [{ name: 'combined_text', label: 'Text', types: ['Message'] }];
  texts: unknown;
  text1: unknown;
  text2: unknown;
  delimiter: unknown;

  run() {
    const several = Array.isArray(this.texts) ? this.texts : [];
    const texts = [this.text1, this.text2, ...several].map(toText).filter((text) => text !== '');
    return { combined_text: message(texts.join(String(this.delimiter))) };
  }
}
