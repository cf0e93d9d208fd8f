import { describe, expect, it } from 'vitest';
import { runSpec, textsOf, declaredBy } from '../testing.ts';
import type { PersonQuestion } from './person-question.ts';
import { humanApproval } from './human-approval.ts';

const flow = [
  'nodes:',
  '  I: TextInput',
  '  H: HumanApproval',
  '  Y: TextOutput',
  '  P: PromptTemplate',
  '  N: TextOutput',
  'edges:',
  '  I.text -> H.value',
  '  H.approved -> Y.input_value',
  '  H.rejected -> P.what',
  '  P.prompt -> N.input_value',
  'config:',
  '  I.input_value: "42 euros"',
  '  H.question: "Pay it?"',
  '  P.template: "not {what}"',
];

describe('a human approval', () => {
  it.each([
    ['approve', '42 euros'],
    ['reject', 'not 42 euros'],
  ])('passes the value to the branch of the answer %s', async (choice, result) => {
    const asked: PersonQuestion[] = [];
    const ask = async (question: PersonQuestion) => {
      asked.push(question);
      return { choice, comment: '', by: 'bob' };
    };
    const { status, text } = await runSpec(flow, { ask }, { runId: 'r1' });
    expect(status).toBe('completed');
    expect(text).toBe(result);
    expect(asked).toMatchObject([{ text: 'Pay it?', options: ['approve', 'reject'] }]);
    expect(asked[0]?.key).toBe(`r1/${asked[0]?.node}/`);
  });

  it.each([
    ['reject', 'too expensive', 'Rejected: too expensive'],
    ['reject', '', 'Rejected'],
    ['approve', 'fine', '42 euros'],
  ])('names the decision %s (%j) where the flow does not continue after it', async (choice, comment, result) => {
    const lines = ['nodes:', '  I: TextInput', '  H: HumanApproval', '  Y: TextOutput', 'edges:'];
    const edges = ['  I.text -> H.value', '  H.approved -> Y.input_value', 'config:', '  I.input_value: "42 euros"'];
    const { status, text } = await runSpec([...lines, ...edges], { ask: async () => ({ choice, comment, by: 'bob' }) });
    expect([status, text]).toEqual(['completed', result]);
  });

  it('fails with advice where no person can answer', async () => {
    const { status, failure } = await runSpec(flow);
    expect([status, failure?.message]).toEqual(['failed', 'This run has no person to ask.']);
    expect(failure?.fix).toContain('server');
  });

  it('stops waiting when the run is cancelled', async () => {
    const stop = new AbortController();
    const ask = () =>
      new Promise<never>((_, reject) => {
        stop.signal.addEventListener('abort', () => reject(new Error('stopped')));
        stop.abort();
      });
    expect((await runSpec(flow, { ask }, { signal: stop.signal })).status).toBe('cancelled');
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(humanApproval)).toEqual([
    'HumanApproval: wait',
    'value: handle Message Data Table File Any required',
    'question: multiline Message default="Approve this value?"',
    'approved: gives Message Data Table File Any branch',
    'rejected: gives Message Data Table File Any branch',
    'comment: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(humanApproval.descriptor)).toEqual([
    'Human approval (user-check): Waits until a person approves or rejects a value.',
    'logic | human in the loop | review | confirm | wait | HumanInTheLoop',
    'value: Value',
    'question: Question',
    'approved: Approved',
    'rejected: Rejected',
    'comment: Comment',
  ]);
});
