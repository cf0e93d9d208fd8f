import { expect, it } from 'vitest';
import { Stop } from './stop.ts';

it('carries the rule, the reason and the paths of the block', () => {
  const paths = [{ written: 'a', read_as: 'a', inside: true }];
  expect(new Stop('too-large', 'Too many paths', paths)).toMatchObject({
    name: 'Stop',
    rule: 'too-large',
    message: 'Too many paths',
    paths,
  });
  expect(new Stop('failure', 'x').paths).toEqual([]);
});
