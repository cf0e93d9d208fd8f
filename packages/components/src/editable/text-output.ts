import { Component, message, toText } from './component.ts';

/** A text as a result of the flow. */
export class TextOutput extends Component {
  label = 'Text output';
  description = 'Gives a text as a result of the flow.';
  icon = 'text-cursor';
  inputs = [{ name: 'input_value', label: 'Text', kind: 'multiline', accepts: ['Message'], required: true }];
  outputs = [{ name: 'text', label: 'Text', types: ['Message'] }];
  input_value: unknown;

  run() {
    return { text: message(toText(this.input_value)) };
  }
}
