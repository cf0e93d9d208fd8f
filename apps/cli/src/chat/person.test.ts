import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
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
