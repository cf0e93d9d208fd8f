import { expect, it } from 'vitest';
import {
  ComponentError,
  requireHistory,
  requireModels,
  requireVectors,
  requireWorkspace,
  type Services,
} from './services.ts';

it.each([
  ['workspace', requireWorkspace, 'This run has no files to work with.', 'croft run FLOW.json --dir DIR'],
  ['models', requireModels, 'This run has no language models.', 'croft/offline'],
  ['history', requireHistory, 'This run keeps no messages.', 'croft run or on a server'],
  ['vectors', requireVectors, 'This run has no vector store.', 'croft run or on a server'],
] as const)('gives the %s of a run, or says how to have them', (name, require, message, fix) => {
  const service = {};
  expect(require({ [name]: service } as unknown as Services)).toBe(service);
  const failing = () => require({ now: () => new Date() });
  expect(failing).toThrow(ComponentError);
  expect(failing).toThrow(message);
  try {
    failing();
  } catch (error) {
    expect((error as ComponentError).fix).toContain(fix);
  }
});
