import { Component, message, OPERATORS, toText } from './component.ts';

/** Two branches by a comparison. Leaves a cycle after `max_iterations` rounds by its default route. */
export class ConditionalRouter extends Component {
  label = 'If-else';
  description = 'Sends a message to one of two branches by comparing a text.';
  icon = 'split';
  inputs = [
    { name: 'input_text', label: 'Text', kind: 'text', accepts: ['Message'], required: true },
    {
      name: 'operator',
      label: 'Condition',
      kind: 'select',
      options: [
        'equals',
        'not equals',
        'contains',
        'not contains',
        'starts with',
        'ends with',
        'greater than',
        'less than',
        'greater than or equal',
        'less than or equal',
        'is empty',
        'is not empty',
      ],
      default: 'equals',
    },
    {
      name: 'match_text',
      label: 'Compared with',
      kind: 'text',
      accepts: ['Message'],
      default: '',
      requiredWhen: {
        field: 'operator',
        is: [
          'contains',
          'not contains',
          'starts with',
          'ends with',
          'greater than',
          'less than',
          'greater than or equal',
          'less than or equal',
        ],
      },
    },
    { name: 'case_sensitive', label: 'Upper and lower case differ', kind: 'switch', default: true, advanced: true },
    {
      name: 'true_case_message',
      label: 'Message when true',
      kind: 'handle',
      accepts: ['Message', 'Data', 'Table'],
      advanced: true,
    },
    {
      name: 'false_case_message',
      label: 'Message when false',
      kind: 'handle',
      accepts: ['Message', 'Data', 'Table'],
      advanced: true,
    },
    {
      name: 'max_iterations',
      label: 'Rounds of a cycle',
      kind: 'integer',
      default: 10,
      min: 1,
      max: 1000,
      advanced: true,
    },
    {
      name: 'default_route',
      label: 'Route after the last round',
      kind: 'select',
      options: ['true_result', 'false_result'],
      default: 'false_result',
      advanced: true,
    },
  ];
  outputs = [
    { name: 'true_result', label: 'True', types: ['Message'], branch: true },
    { name: 'false_result', label: 'False', types: ['Message'], branch: true },
  ];
  input_text: unknown;
  operator: unknown;
  match_text: unknown;
  case_sensitive: unknown;
  true_case_message: unknown;
  false_case_message: unknown;
  max_iterations: unknown;
  default_route: unknown;

  run() {
    const fold = (value: unknown) => (this.case_sensitive === true ? toText(value) : toText(value).toLowerCase());
    const test = OPERATORS[String(this.operator)] as (value: string, other: string) => boolean;
    const isOver = this.round >= Number(this.max_iterations);
    const isTrue = isOver ? this.default_route === 'true_result' : test(fold(this.input_text), fold(this.match_text));
    const own = isTrue ? this.true_case_message : this.false_case_message;
    return { [isTrue ? 'true_result' : 'false_result']: own ?? message(toText(this.input_text)) };
  }
}
