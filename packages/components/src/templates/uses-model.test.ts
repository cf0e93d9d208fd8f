import { expect, it } from 'vitest';
import { builtinRegistry } from '../builtin.ts';
import { TEMPLATES } from './templates.ts';
import { usesModel } from './uses-model.ts';

it('says of each template whether one of its components asks a model', () => {
  const registry = builtinRegistry();
  const without = TEMPLATES.filter((template) => !usesModel(template, registry)).map(({ name }) => name);
  expect(without).toEqual(
    expect.arrayContaining(['ask-documents', 'remember-messages', 'word-count', 'flow-in-a-flow']),
  );
  for (const name of ['chat', 'guarded-chat', 'summarise-file', 'agent-with-flow']) expect(without).not.toContain(name);
});

it.each([
  ['  C: TextInput', false],
  ['  C: LanguageModelComponent', true],
  ['  E: EmbeddingModel\n  W: VectorStoreWrite\n  S: VectorSearch', false],
  ['  R: RunFlow', false],
  ['  R: RunFlow\nconfig:\n  R.flow_name_selected: chat', true],
  ['  R: RunFlow\nconfig:\n  R.flow_name_selected: word-count', false],
  ['  R: RunFlow\nconfig:\n  R.flow_name_selected: none', false],
])('finds in %j a model: %s', (nodes, expected) => {
  expect(usesModel({ spec: `nodes:\n${nodes}\n` }, builtinRegistry())).toBe(expected);
});

it('refuses a template with an unknown component', () => {
  expect(() => usesModel({ spec: 'nodes:\n  C: None' }, builtinRegistry())).toThrow(/\S/);
});
