import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusalOf } from '../../../../packages/workspace/src/testing.ts';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { requireInProject } from './require-in-project.ts';

const dir = fileDir();
const project = join(dir, 'project');
for (const each of ['project/.claude', 'project/..odd', 'home', 'project-two'])
  mkdirSync(join(dir, each), { recursive: true });
symlinkSync(join(dir, 'home'), join(project, 'away'));
symlinkSync('.claude', join(project, 'inside'));
symlinkSync(project, join(dir, 'alias'));
const judge = (file: string, of = project) => refusalOf(() => requireInProject(file, of));

it('accepts files of the project, also new ones, and through links that stay inside', () => {
  for (const file of ['.claude/settings.json', 'new/deep/x', 'inside/x', '..odd/x', ''])
    expect(judge(join(project, file)), file).toBe('accepted');
  expect(judge(join(dir, 'alias/.claude/x'))).toBe('accepted');
  expect(judge(join(project, '.claude/x'), join(dir, 'alias'))).toBe('accepted');
});

it('refuses a file that a link leads out of the project, and names the place', () => {
  expect(judge(join(project, 'away/new/settings.json'))).toBe(
    `leads out of the project by a symbolic link, to ${join(dir, 'home/new/settings.json')}; replace the link, or run croft setup guard without --project`,
  );
  for (const file of ['home/x', 'project-two/x', '']) expect(judge(join(dir, file)), file).toContain('leads out');
});
