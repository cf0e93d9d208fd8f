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
