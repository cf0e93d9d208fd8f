import { PassThrough } from 'node:stream';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { askPerson, EXIT_INTERRUPTED } from './ask-person.ts';

let input: PassThrough;
beforeEach(() => {
  input = new PassThrough();
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
  onTestFinished(() => stdin.mockRestore());
});

async function answer(text: string | undefined): Promise<boolean> {
  const asked = askPerson('Go on? ');
  if (text === undefined) input.end();
  else input.write(`${text}\n`);
  return asked;
}

it.each([
  ['y', true],
  ['yes', true],
  [' YES ', true],
  ['n', false],
  ['', false],
  ['yess', false],
  ['ye', false],
])('takes %j as %s', async (text, isYes) => {
  const output = captureOutput();
  expect(await answer(text)).toBe(isYes);
  expect(output.out).toBe('Go on? ');
});

it('takes the end of the input as no', async () => {
  captureOutput();
  expect(await answer(undefined)).toBe(false);
});

it('ends the process at Ctrl-C', async () => {
  const output = captureOutput();
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  onTestFinished(() => exit.mockRestore());
  const { isTTY } = process.stdout;
  Object.assign(process.stdout, { isTTY: true });
  onTestFinished(() => void Object.assign(process.stdout, { isTTY }));
  const asked = askPerson('Go on? ');
  input.end('\u0003');
  expect(await asked).toBe(false);
  expect([exit.mock.calls, output.out.includes('\n')]).toEqual([[[130]], true]);
});

it('has the exit code of an interrupted program', () => {
  expect(EXIT_INTERRUPTED).toBe(130);
});
