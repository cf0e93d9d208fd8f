import { expect, it } from 'vitest';
import { orderTemplates } from './order-templates.ts';

it('puts templates that run without a model first for a user without a provider', () => {
  const [chat, count, agent, find] = [true, false, true, false].map((usesModel) => ({ usesModel }));
  const templates = [chat, count, agent, find] as { usesModel: boolean }[];
  const ordered = orderTemplates(templates, false);
  for (const [index, expected] of [count, find, chat, agent].entries()) expect(ordered[index]).toBe(expected);
  expect(orderTemplates(templates, true)).toBe(templates);
});
