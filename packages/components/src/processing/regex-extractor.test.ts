import { describe, expect, it } from 'vitest';
import { runNode, textsOf, declaredBy, withShortJobs } from '../testing.ts';
import { regexExtractor } from './regex-extractor.ts';

describe('RegexExtractor', () => {
  it('ends with an error where the searches together take too long', async () => {
    const found = await withShortJobs(() => extract('(a|aa)*b|a', 'a'.repeat(60_000)));
    expect(found.status).toBe('failed');
    expect(JSON.stringify(found)).toContain('takes too long');
  });

  it('ends a single search that takes too long, and holds no timer up meanwhile', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const { failure } = await withShortJobs(() => extract('([a-z]{1,500})[0-9]', 'x'.repeat(900_000)));
    clearInterval(timer);
    expect(failure?.message).toContain('takes too long');
    expect(ticks).toBeGreaterThan(10);
  });

  const extract = (pattern: string, text: string, output = 'data', config = {}) =>
    runNode({ type: 'RegexExtractor', output, input: 'input_text', value: text, config: { pattern, ...config } });

  it('gives all matches with their groups', async () => {
    expect((await extract('(?P<key>\\w+)=(\\d+)', 'a=1, b=22')).value).toEqual([
      { match: 'a=1', group_1: 'a', group_2: '1', key: 'a' },
      { match: 'b=22', group_1: 'b', group_2: '22', key: 'b' },
    ]);
    expect((await extract('a', 'aA', 'text')).value).toEqual({ text: 'a' });
    expect((await extract('a', 'aA', 'text', { ignore_case: true })).value).toEqual({ text: 'a\nA' });
    expect((await extract('z+', 'abc', 'text')).value).toEqual({ text: 'No matches found' });
  });

  it('stays linear where a backtracking engine would not end', async () => {
    expect((await extract('(a+)+$', `${'a'.repeat(5_000)}!`)).status).toBe('completed');
  });

  it('refuses what RE2 does not have, with advice', async () => {
    expect((await extract('(a)\\1', 'aa')).failure?.fix).toContain('RE2');
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(regexExtractor)).toEqual([
    'RegexExtractor: none',
    'input_text: multiline Message required toolParameter',
    'pattern: text required toolParameter variables=false',
    'ignore_case: switch advanced default=false',
    'data: gives Table',
    'text: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(regexExtractor.descriptor)).toEqual([
    'Regex extract (regex): Finds all matches of a regular expression in a text, with their groups.',
    'processing | regular expression | match | pattern',
    'input_text: Text',
    'pattern: Expression | RE2 syntax: linear time, without backreferences and lookaround.',
    'ignore_case: Ignore case',
    'data: Matches | match, group_1 …, and named groups',
    'text: Text',
  ]);
});
