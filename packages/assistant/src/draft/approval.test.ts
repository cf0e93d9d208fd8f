import { describe, expect, it } from 'vitest';
import { BEGIN, hasCondition, isApproval, isWrite, questionAbout } from './approval.ts';

describe('a decision of a person', () => {
  it.each([
    'asks me',
    'ask me for approval',
    'asks me for my permission first',
    'please add a step that asks me',
    'waits for my approval',
    'asks for human confirmation.',
    'needs my okay',
    'requires an approval',
    'lets me approve it',
    'let a person check that',
    'I have approved it',
    'I agree',
    'checks with us',
  ])('is all that %j says', (text) => {
    expect(isApproval({ text })).toBe(true);
  });

  it.each([
    'asks me for the name',
    'asks the model',
    'writes a file',
    'needs my data',
    'I have a file',
    'asks me and writes',
    '',
  ])('is not all that %j says', (text) => {
    expect(isApproval({ text })).toBe(false);
  });
});

it.each(['writes out.txt', 'it saves the rows', 'storing it', 'the flow sends a message', 'overwrites it'])(
  'takes %j for a write',
  (text) => {
    expect(isWrite({ text })).toBe(true);
  },
);

it('takes no other clause for a write', () => {
  expect([isWrite({ text: 'reads out.txt' }), isWrite({ text: 'counts what it writes' }), isWrite(undefined)]).toEqual([
    false,
    false,
    false,
  ]);
});

it.each([['unless it is empty'], ['only once'], ['after my consent'], ["don't overwrite"], ['asking first']])(
  'sees a condition in %j',
  (text) => {
    expect(hasCondition(['translate it', text])).toBe(true);
  },
);

it('sees no condition in other parts', () => {
  expect([hasCondition([]), hasCondition(['in French', 'as a table'])]).toEqual([false, false]);
});

it('skips the words before what a flow does', () => {
  const rest = (text: string) => text.replace(new RegExp(BEGIN, 'i'), '');
  expect(rest('Please build me a new flow that first counts words')).toBe('counts words');
  expect(rest('counts a flow')).toBe('counts a flow');
});

it('names the files in its question, and has the general one without them', () => {
  expect(questionAbout(['a.txt'])).toEqual({ question: 'Write this to a.txt?' });
  expect(questionAbout(['a.txt', 'b.txt'])).toEqual({ question: 'Write this to a.txt and b.txt?' });
  expect(questionAbout([])).toEqual({});
});
