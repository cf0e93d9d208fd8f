import { expect, it } from 'vitest';
import { describeQuestion, parseVerdict } from './connect-question.ts';

const PAGE = { origin: 'https://a.test\u001b', directory: '/work\n', mayWrite: false } as never as Parameters<
  typeof describeQuestion
>[0];

it('describes the page, the directory and what the page may do', () => {
  expect(describeQuestion({ ...PAGE, origin: 'https://a.test', directory: '/work' }, {})).toBe(`
An unknown web page wants to connect this directory to its server.
  Page       https://a.test
  Directory  /work
  It may     read and search the files in it, and change nothing
  If you did not just open that page to connect this directory, answer no.
  [o] allow once   [a] always allow   [n] no   [v] never
  Answer [n]: `);
  expect(describeQuestion({ ...PAGE, mayWrite: true }, {})).toContain(
    '  It may     read, search and CHANGE the files in it\n',
  );
});

it('does not let a page write into the terminal', () => {
  const shown = describeQuestion(PAGE, {});
  expect(shown).not.toContain('\u001b');
  expect(shown.split('\n')).toHaveLength(8);
});

it.each([
  ['o', 'allow_once'],
  [' ONCE ', 'allow_once'],
  ['a', 'allow_always'],
  ['Always', 'allow_always'],
  ['v', 'deny_always'],
  ['never', 'deny_always'],
  ['n', 'deny_once'],
  ['', 'deny_once'],
  ['yes', 'deny_once'],
  ['on', 'deny_once'],
])('takes %j as %s', (answer, verdict) => expect(parseVerdict(answer)).toBe(verdict));
