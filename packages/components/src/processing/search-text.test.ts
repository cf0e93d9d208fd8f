import { afterAll, expect, it } from 'vitest';
import { closeSandbox } from '../user/sandbox-threads.ts';
import { searchText } from './search-text.ts';

afterAll(closeSandbox);
const find = (expression: string, text = 'ab ac', signal = new AbortController().signal) =>
  searchText(
    { language: 'RE2', expression, ignoresCase: false, text, wants: { replacement: 'x' } },
    { user: undefined, signal },
  );

it('gives what the search found', async () => {
  expect(await find('a.')).toBe('x x');
});

it('says that an expression is not valid', async () => {
  await expect(find('(')).rejects.toMatchObject({
    name: 'ComponentError',
    message: expect.stringMatching(/^The expression is not valid: .+\.$/) as string,
    fix: 'Use RE2 syntax, without backreferences such as \\1 and lookaround such as (?=…).',
  });
});

it('ends with the run', async () => {
  await expect(find('a', 'a', AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
});
