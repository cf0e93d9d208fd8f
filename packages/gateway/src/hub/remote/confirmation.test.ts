import { expect, it } from 'vitest';
import { askPerson, confirmationOf } from './confirmation.ts';

const PREFIX = 'GATEWAY_CONFIRMATION_REQUIRED::';
const wanted = (value: unknown) => confirmationOf(PREFIX + JSON.stringify(value));

it('a request for confirmation becomes a question in one line', () => {
  expect(wanted({ toolGroup: 'shell', resource: 'rm -rf x', description: 'Deletes\nfiles', options: ['a'] })).toEqual({
    question: 'Allow shell of rm -rf x? Deletes\\u000afiles',
    options: ['a'],
  });
  expect(wanted({ toolGroup: 'shell', resource: 'ls' })).toEqual({ question: 'Allow shell of ls?', options: [] });
});

it.each([undefined, '', 'other error', `x${PREFIX}{}`, `${PREFIX}{`, `${PREFIX}{"toolGroup":1}`])(
  'does not find one in another error: %s',
  (error) => expect(confirmationOf(error)).toBeUndefined(),
);

it('does not find one with texts beyond the limits', () => {
  expect(wanted({ toolGroup: 'x'.repeat(65), resource: 'a' })).toBeUndefined();
  expect(wanted({ toolGroup: 'x', resource: 'a', options: Array(17).fill('a') })).toBeUndefined();
});

it('the answer of a person is for one call, and none without a person', async () => {
  const tokens = new Set<string>();
  const ask = (answer: boolean | undefined, input: unknown = {}) =>
    askPerson({ question: 'Q?', options: [] }, { name: 'run', input }, {
      confirm: async (_: string, token: string) => {
        tokens.add(token);
        return answer;
      },
    } as never);
  expect([await ask(true), await ask(false), await ask(undefined)]).toEqual(['allowOnce', 'denyOnce', undefined]);
  expect(tokens.size).toBe(1);
  await ask(true, { other: 1 });
  expect(tokens.size).toBe(2);
  expect(await askPerson({ question: 'Q?', options: [] }, { name: 'run', input: {} }, {} as never)).toBeUndefined();
});
