import type { Registry } from '@croft/flow';
import { expect, it } from 'vitest';
import { growingRegistry } from './growing-registry.ts';

const fakeComponent = (type: string) => ({ descriptor: { type } }) as unknown as Registry['entries'][number];
const [base, other, own] = [fakeComponent('Base'), fakeComponent('Base'), fakeComponent('Own')];

const registryOf = (entry: typeof base): Registry => ({
  entries: [entry],
  get: (type) => (type === 'Base' ? entry : undefined),
});

it('has new components beside those that the turn began with', () => {
  const registry = growingRegistry(registryOf(base), () => false);
  registry.add(own);
  const newer = fakeComponent('Own');
  registry.add(newer);
  expect([registry.get('Own'), registry.get('Base'), registry.get('None')]).toEqual([newer, base, undefined]);
  expect(registry.entries.map(({ descriptor }) => descriptor.type)).toEqual(['Base', 'Own']);
});

it("replaces a component of the base only where it is the user's own", () => {
  const fixed = growingRegistry(registryOf(base), () => false);
  fixed.add(other);
  expect(fixed.get('Base')).toBe(base);
  const mine = growingRegistry(registryOf(base), (type) => type === 'Base');
  mine.add(other);
  expect([mine.get('Base'), mine.entries]).toEqual([other, [other]]);
});
