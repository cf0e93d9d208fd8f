import { expect, it } from 'vitest';
import { freshNodeId, newNodeId } from './node-id.ts';

it('is the type and random characters', () => {
  const ids = Array.from({ length: 50 }, () => newNodeId('ChatInput'));
  for (const id of ids) expect(id).toMatch(/^ChatInput-[a-z0-9]{5}$/);
  expect(new Set(ids).size).toBeGreaterThan(45);
  expect(newNodeId('A', 9)).toMatch(/^A-[a-z0-9]{9}$/);
});

it('is one that is not taken', () => {
  const refused: string[] = [];
  const id = freshNodeId('A', (each) => refused.length < 3 && refused.push(each) > 0);
  expect([refused.length, refused.includes(id)]).toEqual([3, false]);
});
