import { expect, it } from 'vitest';
import { toolContext } from '../../../../tests/support/tool-context.ts';
import type { AssistantTool } from './assistant-tool.ts';
import { isAllowed, NOT_ALLOWED } from './consent.ts';

const NOTHING = { change: false, remove: false, write: false, run: false, runWrites: false };
const tool = (needs?: AssistantTool['needs']): AssistantTool => ({
  name: 'act',
  description: '',
  parameters: {},
  label: ({ what }) => `Acting on ${String(what)}`,
  ...(needs !== undefined && { needs }),
  run: () => ({}),
});

it('asks nothing about a call that needs no consent or that the message asks for', async () => {
  const { context, asked } = await toolContext(undefined, { asked: { ...NOTHING, run: true } });
  expect([await isAllowed(tool(), {}, context), await isAllowed(tool('run'), {}, context)]).toEqual([true, true]);
  expect(asked).toEqual([]);
});

it.each([
  ['change', 'change the flow'],
  ['remove', 'remove or take back what is on the canvas'],
  ['write', 'write files'],
  ['run', 'run the flow'],
  ['runWrites', 'run the flow'],
] as const)('asks once in a turn whether it may %s', async (needs, words) => {
  for (const [answer, isGiven] of [
    ['Allow', true],
    ['Do not allow', false],
  ] as const) {
    const { context, asked } = await toolContext(undefined, { asked: NOTHING, answer });
    const args = { what: 'x' };
    expect([await isAllowed(tool(needs), args, context), await isAllowed(tool(needs), args, context)]).toEqual([
      isGiven,
      isGiven,
    ]);
    expect(asked).toEqual([`Your message did not ask for this. May I ${words} in this turn? First: “Acting on x”`]);
  }
});

it('asks by kind, which may depend on the call', async () => {
  const { context, asked } = await toolContext(undefined, { asked: NOTHING, answer: 'Allow' });
  const either = tool(({ what }) => (what === 'x' ? 'remove' : 'change'));
  for (const what of ['x', 'y', 'x']) expect(await isAllowed(either, { what }, context)).toBe(true);
  expect(asked).toHaveLength(2);
});

it('tells a model not to try again', () => {
  expect(NOT_ALLOWED).toMatchObject({ declined: true, text: expect.stringContaining('do not try again') });
});

it('asks with a default that allows nothing', async () => {
  const { context, events } = await toolContext(undefined, { asked: NOTHING, answer: 'other' });
  expect(await isAllowed(tool('run'), {}, context)).toBe(false);
  expect(events[0]).toMatchObject({ kind: 'beyond', choices: ['Allow', 'Do not allow'], default: 'Do not allow' });
  expect(NOT_ALLOWED).toEqual({
    text: 'Not done: the message did not ask for it, and the user did not allow it. Answer the message, and do not try again.',
    summary: 'Not done: your message did not ask for it, and you did not allow it.',
    declined: true,
  });
});
