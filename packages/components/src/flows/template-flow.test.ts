import { createRegistry } from '@croft/flow';
import { expect, it } from 'vitest';
import { builtinRegistry } from '../builtin.ts';
import { TEMPLATES } from '../templates/templates.ts';
import { templateFlow } from './template-flow.ts';

const registry = builtinRegistry();

it('gives each template as a flow whose nodes have the names of its text', () => {
  for (const { name } of TEMPLATES) {
    const found = templateFlow(name, registry);
    expect(found?.id, name).toBe(`template ${name}`);
    expect(found?.flow.nodes.length, name).toBeGreaterThan(0);
  }
  const first = TEMPLATES[0]?.name ?? '';
  expect(templateFlow(first, registry)?.flow.nodes.map(({ id }) => id)).toEqual(
    templateFlow(first, registry)?.flow.nodes.map(({ id }) => id),
  );
});

it('gives nothing for another name, or without its components', () => {
  expect(templateFlow('no such', registry)).toBeUndefined();
  expect(templateFlow(TEMPLATES[0]?.name ?? '', createRegistry([]))).toBeUndefined();
});
