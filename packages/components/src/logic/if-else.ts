import type { CroftComponent } from '../services.ts';
import { message, toText } from '../values.ts';
import { OPERATORS } from '../processing/table-rows.ts';

/** Two branches by a comparison. Leaves a cycle after `max_iterations` rounds by its default route. */
export const ifElse: CroftComponent = {
  descriptor: {
    type: 'ConditionalRouter',
    label: 'If-else',
    description: 'Sends a message to one of two branches by comparing a text.',
    category: 'logic',
    icon: 'split',
    aliases: ['IfElse'],
    control: 'router',
    effects: ['none'],
    fields: [
      { name: 'input_text', label: 'Text', kind: 'text', accepts: ['Message'], required: true },
      { name: 'operator', label: 'Condition', kind: 'select', options: Object.keys(OPERATORS), default: 'equals' },
      { name: 'match_text', label: 'Compared with', kind: 'text', accepts: ['Message'], default: '' },
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
    ],
    outputs: [
      { name: 'true_result', label: 'True', types: ['Message'], branch: true },
      { name: 'false_result', label: 'False', types: ['Message'], branch: true },
    ],
  },
  run({ inputs, round }) {
    const fold = (value: unknown) => (inputs['case_sensitive'] === true ? toText(value) : toText(value).toLowerCase());
    const test = OPERATORS[String(inputs['operator'])] as (value: string, other: string) => boolean;
    const isOver = round >= Number(inputs['max_iterations']);
    const isTrue = isOver
      ? inputs['default_route'] === 'true_result'
      : test(fold(inputs['input_text']), fold(inputs['match_text']));
    const own = inputs[isTrue ? 'true_case_message' : 'false_case_message'];
    return { [isTrue ? 'true_result' : 'false_result']: own ?? message(toText(inputs['input_text'])) };
  },
};
