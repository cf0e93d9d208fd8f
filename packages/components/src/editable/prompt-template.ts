import { Component, message, toText } from './component.ts';

/** A text with places for values. */
export class PromptTemplate extends Component {
  label = 'Prompt template';
  description = 'Writes a text from a template. Each {name} becomes an input; {name.path} reads a field of a record.';
  icon = 'braces';
  inputs = [
    { name: 'template', label: 'Template', kind: 'multiline', default: '', required: true, accepts: [] },
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
  ];
  outputs = [{ name: 'prompt', label: 'Prompt', types: ['Message'] }];
  template: unknown;
  tool_placeholder: unknown;

  run() {
    // The values of the variables are in it already.
    return { prompt: message(toText(this.template)) };
  }
}
