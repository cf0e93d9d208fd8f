import { expect, it } from 'vitest';
import type { Intent } from './intent.ts';
import { labelOf } from './progress-label.ts';
import type { Turn } from './turn.ts';

const label = (intent: Intent, more: Partial<Turn> = {}) => {
  const { step, message } = labelOf(intent, { message: '', ...more } as Turn);
  return `${step}: ${message}`;
};

it('says what the turn does first', () => {
  expect(label('generate_component')).toBe('generating_component: Generating component...');
  expect(label('manage_files')).toBe('generating_document: Generating document...');
  expect(label('run_flow')).toBe('generating: Running the flow...');
  expect(label('component_then_flow')).toBe('orchestrating: Orchestrating...');
  expect(label('build_flow', { message: 'build a flow' })).toBe('generating_flow: Working on the flow...');
  expect(label('build_flow', { message: 'build a flow and then execute the result' })).toBe(
    'orchestrating: Orchestrating...',
  );
  expect(label('build_flow', { message: 'build it and run the flow' })).toBe('orchestrating: Orchestrating...');
  expect(label('question')).toBe('generating: Generating response...');
});

it('says that a turn continues', () => {
  expect(label('run_flow', { continues: 'edits' })).toBe('generating: Continuing...');
  expect(label('run_flow', { continues: 'plan' })).toBe('generating_flow: Generating flow...');
});
