import { expect, it } from 'vitest';
import { BUILTIN, builtinRegistry } from './builtin.ts';

it('has each type and each alias once', () => {
  const names = BUILTIN.flatMap(({ descriptor }) => [descriptor.type, ...(descriptor.aliases ?? [])]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(BUILTIN.length).toBeGreaterThan(60);
});

it('finds every component by its type and by its aliases', () => {
  const registry = builtinRegistry();
  for (const { descriptor } of BUILTIN)
    for (const name of [descriptor.type, ...(descriptor.aliases ?? [])])
      expect(registry.get(name)?.descriptor.type, name).toBe(descriptor.type);
  expect(registry.get('NoSuchComponent')).toBeUndefined();
});
