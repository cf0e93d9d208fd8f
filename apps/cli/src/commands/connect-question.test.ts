import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { askOnTerminal, describeQuestion, parseVerdict } from './connect-question.ts';

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

describe('the question on the terminal', () => {
  let input: PassThrough;
  beforeEach(() => {
    input = new PassThrough();
    const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
    onTestFinished(() => stdin.mockRestore());
  });

  /** Asks, and types the answer when the question is there. */
  async function answer(type: (input: PassThrough, stop: () => void) => void) {
    const output = captureOutput();
    const stop = new AbortController();
    const verdict = askOnTerminal({ ...PAGE, origin: 'https://a.test' }, stop.signal);
    input.write('a\n');
    await expect.poll(() => output.out).toContain('Answer [n]: ');
    type(input, () => stop.abort());
    return { verdict: await verdict, out: output.out };
  }

  it('takes an answer that was typed after it, and none that was typed before', async () => {
    expect((await answer(() => input.write('o\n'))).verdict).toBe('allow_once');
    expect((await answer(() => input.write('\n'))).verdict).toBe('deny_once');
  });

  it('denies at the end of the time, on a new line', async () => {
    const { verdict, out } = await answer((_, stop) => stop());
    expect([verdict, out.endsWith('\n')]).toEqual(['deny_once', true]);
  });

  it('denies at the end of the input', async () => {
    expect((await answer(() => input.end())).verdict).toBe('deny_once');
    expect(input.listenerCount('data')).toBe(0);
  });
});
