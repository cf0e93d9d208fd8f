import { Component, message, toText } from './component.ts';

/** A text that the flow's author writes, or that a run brings. */
export class TextInput extends Component {
  label = 'Text input';
  description = 'A text for the flow. Names in braces become inputs.';
  icon = 'text';
  inputs = [{ name: 'input_value', label: 'Text', kind: 'multiline', accepts: ['Message'], default: '' }];
  outputs = [{ name: 'text', label: 'Text', types: ['Message'] }];
  input_value: unknown;

  run() {
    return { text: message(toText(this.input_value)) };
  }
}
