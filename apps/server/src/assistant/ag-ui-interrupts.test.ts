import { expect, it } from 'vitest';
import { interruptOfProposal, interruptOfQuestion } from './ag-ui-interrupts.ts';
import { UNATTENDED_MS } from './live-turns.ts';
import type { Proposal } from './proposals.ts';

const proposal = (parts: object) => ({ id: 'p', ...parts }) as unknown as Proposal;
const choicesOf = ({ responseSchema }: { readonly responseSchema: Readonly<Record<string, unknown>> }) =>
  (responseSchema['properties'] as { choice: { enum?: readonly string[]; examples?: readonly string[] } }).choice;

it('asks a question as long as its turn waits, and lets the user write another answer', () => {
  const before = Date.now();
  const interrupt = interruptOfQuestion('turn', { id: 'q', kind: 'question', text: 'Which?', choices: ['a', 'b'] });
  expect(interrupt).toMatchObject({ id: 'turn/q', reason: 'question', message: 'Which?' });
  expect(choicesOf(interrupt)).toEqual({ type: 'string', examples: ['a', 'b'] });
  const expires = Date.parse(interrupt.expiresAt ?? '');
  expect(expires).toBeGreaterThanOrEqual(before + UNATTENDED_MS);
  expect(expires).toBeLessThanOrEqual(Date.now() + UNATTENDED_MS);
});

it('takes only one of the choices about an effect', () => {
  const interrupt = interruptOfQuestion('turn', { id: 'q', kind: 'effects', text: 'Run?', choices: ['yes', 'no'] });
  expect(choicesOf(interrupt)).toEqual({ type: 'string', enum: ['yes', 'no'] });
  expect(interrupt.responseSchema['required']).toEqual(['choice']);
});

it('offers the choices that a proposal has', () => {
  const plan = interruptOfProposal('turn', proposal({ action: 'propose_plan', markdown: '# Plan' }));
  expect(plan).toMatchObject({ id: 'turn/p', reason: 'propose_plan', message: '# Plan' });
  expect(plan).not.toHaveProperty('expiresAt');
  expect(choicesOf(plan).enum).toEqual(['approve', 'dismiss']);
  const field = interruptOfProposal('turn', proposal({ action: 'edit_field', description: 'Set it?' }));
  expect([field.message, choicesOf(field).enum]).toEqual(['Set it?', ['accept', 'dismiss']]);
  const flow = interruptOfProposal('turn', proposal({ action: 'set_flow', name: 'Shop' }));
  expect([flow.message, choicesOf(flow).enum]).toEqual(['Put Shop on the canvas?', ['add', 'replace', 'dismiss']]);
  const large = interruptOfProposal('turn', proposal({ action: 'set_flow', name: 'Shop', no_add: 'Too large.' }));
  expect(choicesOf(large).enum).toEqual(['replace', 'dismiss']);
});
