import { expect, it } from 'vitest';
import { ordersRun, ordersUndo } from './plain-order.ts';

it.each([
  'run it',
  'Run the flow again, please.',
  'please run my word count flow now',
  'could you run it?',
  'build a flow that reads in.md and saves it to out.txt, then run it',
  'build a flow that reads in.md. Run it once',
  'execute the flow with `one two`',
  'builds it and runs it',
  'run_flow {"message":"a b"}',
  'I could not run it yesterday, run it now',
])('“%s” orders a run', (message) => {
  expect(ordersRun(message)).toBe(true);
});

it.each([
  'you are not allowed to run the flow',
  'under no circumstances run the flow',
  'I refuse to run the flow',
  'ask me before you run the flow',
  'run the flow tomorrow',
  'run the flow when Anna has approved it',
  'run it, once Anna agrees',
  'run it. But not yet',
  'dry run the flow',
  'the last run of the flow failed',
  'reads in.md and saves it to out.txt, then show me how to run it',
  'reads in.md and saves it to out.txt. I want to run it',
  'reads in.md and saves it to out.txt, then can I run it',
  'shall I run the flow',
])('“%s” does not order a run', (message) => {
  expect(ordersRun(message)).toBe(false);
});

it.each(['undo that', 'please take that back', 'could you revert the last change?', 'remove the sort step'])(
  '“%s” may take back',
  (message) => {
    expect(ordersUndo(message)).toBe(true);
  },
);

it.each([
  'I can undo that',
  'tell me to undo that',
  'so I can undo that',
  'undo that, if I say so',
  'thanks, no undo needed',
])('“%s” takes nothing back', (message) => {
  expect(ordersUndo(message)).toBe(false);
});
