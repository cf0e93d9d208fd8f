import type { Workspace } from '@croft/workspace';
import { expect, it } from 'vitest';
import { permanentArgument, versionArgument, workspaceOf } from './toolkit.ts';

it('asks the source at every call, so that a workspace that was replaced is not used any more', () => {
  const [before, after] = [{ root: '/before' }, { root: '/after' }] as Workspace[];
  let current = before;
  const kit = { source: { acquire: () => current as Workspace }, flavour: 'full' as const };
  expect(workspaceOf(kit)).toBe(before);
  current = after;
  expect(workspaceOf(kit)).toBe(after);
});

it('needs neither a version nor the permission to lose old content, and takes them as text and boolean only', () => {
  for (const argument of [versionArgument, permanentArgument]) expect(argument.safeParse(undefined).success).toBe(true);
  expect([versionArgument.safeParse(1).success, permanentArgument.safeParse('true').success]).toEqual([false, false]);
});
