import { expect, it } from 'vitest';
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
