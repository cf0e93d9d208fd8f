import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusalOf } from '@croft/workspace/testing';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { workspaceRoot } from './workspace-root.ts';

it("is the real directory, and never Croft's own", () => {
  const top = testDir();
  const base = join(top, 'base');
  mkdirSync(join(top, 'dir'));
  mkdirSync(join(base, 'logs'), { recursive: true });
  symlinkSync(join(top, 'dir'), join(top, 'link'));
  writeFileSync(join(top, 'file'), '');
  expect(workspaceRoot(join(top, 'link'), base)).toBe(join(top, 'dir'));
  expect(refusalOf(() => workspaceRoot(join(top, 'none'), base))).toBe(`Not a directory: ${join(top, 'none')}`);
  expect(refusalOf(() => workspaceRoot(join(top, 'file'), base))).toMatch(/^Not a directory: /);
  for (const own of [base, join(base, 'logs')])
    expect(
      refusalOf(() => workspaceRoot(own, base)),
      own,
    ).toContain("Croft's own base directory");
});
