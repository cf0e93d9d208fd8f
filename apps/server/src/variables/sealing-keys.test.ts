import { createSealer } from '@croft/runs/sealer';
import { expect, it } from 'vitest';
import { sealingKeys } from './sealing-keys.ts';

it('seals with the first key, and opens what an earlier one sealed', () => {
  const before = createSealer(sealingKeys(['old'], 'variables'));
  const after = createSealer(sealingKeys(['new', 'old'], 'variables'));
  expect(after.open(before.seal('text'))).toBe('text');
  expect(() => before.open(after.seal('text'))).toThrow();
});

it('opens nothing of another purpose', () => {
  const [variables, runs] = ['variables', 'runs'].map((purpose) => createSealer(sealingKeys(['key'], purpose)));
  expect(() => runs?.open(variables?.seal('text') ?? '')).toThrow();
});

it('has an id that reveals nothing of its key', () => {
  const [{ id, key }] = sealingKeys(['key'], 'runs');
  expect(id).toHaveLength(12);
  expect(Buffer.from(key).toString('base64url')).not.toContain(id);
  expect(sealingKeys(['key'], 'runs')[0]).toEqual({ id, key });
});
