import { expect, it } from 'vitest';
import { mountPoints } from './mounts.ts';

it('reads the mount points of mountinfo, with spaces and other letters', () => {
  const line = (point: string) => `36 35 98:0 /mnt1 ${point} rw,noatime master:1 - ext3 /dev/root rw`;
  expect(mountPoints(`${line('/')}\n${line('/a\\040b')}\n${line('/a\\134b')}\n${line('/ä')}\n\n`)).toEqual([
    '/',
    '/a b',
    '/a\\b',
    '/ä',
  ]);
});
