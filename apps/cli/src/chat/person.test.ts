import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openPerson, type Person } from './person.ts';

let person: Person | undefined;
let before: NodeJS.SignalsListener[];
afterEach(() => {
  person?.close();
  for (const listener of process.listeners('SIGINT')) if (!before.includes(listener)) process.off('SIGINT', listener);
});

function atTerminal() {
  before = process.listeners('SIGINT');
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  person = openPerson({ input, output, isAttended: true, messages: [], acceptsAll: false });
  return {
    person,
    type: (text: string) => input.write(`${text}\r`),
    press: (key: string) => input.write(key),
    shown: () => shown,
  };
}

const QUESTION = { text: 'Run it?', choices: ['Run', 'Do not run'], byDefault: 'Do not run' };

it('asks again where an answer names no choice', async () => {
  const { person: asked, type, shown } = atTerminal();
  const choice = asked.choose(QUESTION);
  type('perhaps');
  await expect.poll(shown).toContain('Answer with one of: Run, Do not run.');
  type('y');
  expect(await choice).toBe('Run');
});

it('takes a line that was typed before a question for the next message', async () => {
  const { person: asked, type, shown } = atTerminal();
  type('yes');
  await expect.poll(shown).toContain('yes');
  const choice = asked.choose(QUESTION);
  type('n');
  expect(await choice).toBe('Do not run');
  expect(await asked.next()).toBe('yes');
});

it('ends a question at Ctrl-C with the choice that changes nothing, and loses no later line', async () => {
  const { person: asked, type, press } = atTerminal();
  let interrupts = 0;
  asked.onInterrupt = () => interrupts++;
  const choice = asked.choose(QUESTION);
  press('\u0003');
  expect(await choice).toBe('Do not run');
  expect(interrupts).toBe(1);
  const message = asked.next();
  type('hello');
  expect(await message).toBe('hello');
});

it('shows the question and a prompt, and takes Enter for the default', async () => {
  const { person: asked, type, shown } = atTerminal();
  const choice = asked.choose(QUESTION);
  type('');
  expect(await choice).toBe('Do not run');
  const message = asked.next();
  type('hello');
  expect(await message).toBe('hello');
  expect(shown()).toContain('Run it? [y] Run / [n] Do not run (Enter: Do not run) ');
  expect(shown()).toContain('> ');
});

it('gives the default of a question and no message at the end of the input', async () => {
  const { person: asked } = atTerminal();
  const [choice, message] = [asked.choose(QUESTION), asked.next()];
  asked.close();
  expect([await choice, await message, await asked.next(), await asked.choose(QUESTION)]).toEqual([
    'Do not run',
    undefined,
    undefined,
    'Do not run',
  ]);
});

it('passes the signal of the process on, and ends the question', async () => {
  const { person: asked } = atTerminal();
  let interrupts = 0;
  asked.onInterrupt = () => interrupts++;
  const choice = asked.choose(QUESTION);
  const listener = process.listeners('SIGINT').findLast((each) => !before.includes(each));
  listener?.('SIGINT');
  expect([await choice, interrupts]).toEqual(['Do not run', 1]);
  // An aborted question does not answer the next one.
  const next = asked.choose(QUESTION);
  asked.close();
  expect(await next).toBe('Do not run');
});

it('ends the process at Ctrl-C unless the caller does something else', () => {
  const { person: asked } = atTerminal();
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never);
  asked.onInterrupt();
  const codes = exit.mock.calls;
  exit.mockRestore();
  expect(codes).toEqual([[130]]);
});

describe('a program', () => {
  function atPipe(options: Partial<Parameters<typeof openPerson>[0]> = {}) {
    before = process.listeners('SIGINT');
    const [input, output] = [new PassThrough(), new PassThrough()];
    person = openPerson({ input, output, isAttended: false, messages: [], acceptsAll: false, ...options });
    return { person, input, output };
  }

  it('gives its messages a line each, without a prompt', async () => {
    const { person: asked, input, output } = atPipe();
    input.end('one\ntwo\n');
    expect([await asked.next(), await asked.next(), await asked.next()]).toEqual(['one', 'two', undefined]);
    expect(asked.isAttended).toBe(false);
    expect(output.read()).toBeNull();
  });

  it('gives the messages of the command line in place of the input', async () => {
    const { person: asked, input } = atPipe({ messages: ['a', 'b'] });
    input.end('one\n');
    expect([await asked.next(), await asked.next(), await asked.next()]).toEqual(['a', 'b', undefined]);
    asked.close();
  });

  it('is not asked', async () => {
    const { person: asked, output } = atPipe();
    expect(await asked.choose(QUESTION)).toBe('Do not run');
    expect(output.read()).toBeNull();
  });

  it('is not asked with --yes, nor is a person', async () => {
    const { person: asked, output } = atPipe({ isAttended: true, acceptsAll: true, messages: ['a'] });
    expect(await asked.choose({ ...QUESTION, byDefault: 'Run' })).toBe('Run');
    expect(await asked.next()).toBe('a');
    expect(output.read()).toBeNull();
  });
});
