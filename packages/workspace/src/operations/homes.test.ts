import { expect, it } from 'vitest';
import { openAmbientRoot } from '../enclosure.ts';
import { locate } from '../resolve/locate.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { homesFor } from './homes.ts';

const open = useEnclosures();

it("puts temporary files into the workspace's root first, and beside the target only where it must", () => {
  const { enclosure } = open(['dir/f', 'g']);
  const inDir = locate(enclosure, 'dir/f');
  expect(homesFor(enclosure, inDir)).toEqual([enclosure.root.dir, inDir.dir]);
  inDir.close();
  const atTop = locate(enclosure, 'g');
  expect(homesFor(enclosure, atTop)).toEqual([enclosure.root.dir]);
});

it('puts temporary files beside a target outside of the workspace', () => {
  const { enclosure, scratch } = open([], () => ({ ambient: openAmbientRoot() }));
  const outside = locate(enclosure, `${scratch.outside}/secret.txt`);
  expect(homesFor(enclosure, outside)).toEqual([outside.dir]);
  expect(outside.dir).not.toBe(enclosure.root.dir);
  outside.close();
});
