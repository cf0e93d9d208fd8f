import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { ConditionalRouter } from './if-else.ts';

const run = (values: Partial<ConditionalRouter>) =>
  Object.assign(new ConditionalRouter(), {
    operator: 'equals',
    input_text: 'Yes',
    match_text: 'Yes',
    case_sensitive: true,
    max_iterations: 10,
    default_route: 'false_result',
    ...values,
  }).run();
const text = (value: string) => expect.objectContaining({ text: value });

it('sends the text by one of two branches', () => {
  expect(run({})).toEqual({ true_result: text('Yes') });
  expect(run({ match_text: 'No' })).toEqual({ false_result: text('Yes') });
  expect(run({ operator: 'greater than', input_text: '10', match_text: '9' })).toEqual({ true_result: text('10') });
});

it('fails where a text is compared with a number, and does not match an empty text', () => {
  const greater = (input_text: string) => run({ operator: 'greater than', input_text, match_text: '100' });
  expect(() => greater('9 kg')).toThrow("'9 kg' is not a number to compare with 100.");
  expect([greater(''), greater('300')]).toEqual([{ false_result: text('') }, { true_result: text('300') }]);
});

it('compares upper and lower case as asked', () => {
  expect(run({ match_text: 'yes' })).toHaveProperty('false_result');
  expect(run({ match_text: 'yes', case_sensitive: false })).toEqual({ true_result: text('Yes') });
  expect(run({ input_text: 'yes', match_text: 'YES', case_sensitive: false })).toHaveProperty('true_result');
});

it('sends the own message of a branch instead', () => {
  const own = { true_case_message: { a: 1 }, false_case_message: { b: 2 } };
  expect([run(own), run({ ...own, match_text: 'No' })]).toEqual([
    { true_result: { a: 1 } },
    { false_result: { b: 2 } },
  ]);
});

it('leaves a cycle after its last round by the default route', () => {
  expect(run({ round: 9 })).toHaveProperty('true_result');
  expect(run({ round: 10 })).toHaveProperty('false_result');
  expect(run({ round: 10, match_text: 'No', default_route: 'true_result' })).toHaveProperty('true_result');
});

it('has ports that stored flows name', () => {
  expect(portsOf(new ConditionalRouter())).toEqual([
    'input_text: text Message required',
    'operator: select default="equals" of equals|not equals|contains|not contains|starts with|ends with|greater than|less than|greater than or equal|less than or equal|is empty|is not empty',
    'match_text: text Message default="" required if operator contains|not contains|starts with|ends with|greater than|less than|greater than or equal|less than or equal',
    'case_sensitive: switch advanced default',
    'true_case_message: handle Message Data Table advanced',
    'false_case_message: handle Message Data Table advanced',
    'max_iterations: integer advanced default=10 max=1000 min=1',
    'default_route: select advanced default="false_result" of true_result|false_result',
    'true_result: gives Message branch',
    'false_result: gives Message branch',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new ConditionalRouter())).toEqual([
    'If-else (split): Sends a message to one of two branches by comparing a text.',
    '',
    'input_text: Text',
    'operator: Condition',
    'match_text: Compared with',
    'case_sensitive: Upper and lower case differ',
    'true_case_message: Message when true',
    'false_case_message: Message when false',
    'max_iterations: Rounds of a cycle',
    'default_route: Route after the last round',
    'true_result: True',
    'false_result: False',
  ]);
});
