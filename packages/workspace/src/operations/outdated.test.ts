import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { WorkspaceError } from '../errors.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

let scratch: string;
let file: string;
let workspace: Workspace;

beforeEach(() => {
  scratch = testDir();
  for (const name of ['root', 'trash-of-another']) mkdirSync(join(scratch, name));
  file = join(scratch, 'root/f');
  writeFileSync(file, 'text');
  workspace = openWorkspace(join(scratch, 'root'), { trashDir: join(scratch, 'trash') });
});
afterEach(() => workspace.close());

/** Another process locks the directory and keeps the file in a trash of its own, as a process with another base directory does. */
async function replacedByAnother(): Promise<{ readonly ended: Promise<unknown> }> {
  const kept = join(scratch, 'trash-of-another/kept');
  const script = 'ln "$0" "$1" && echo kept && sleep 0.3 && rm "$1"';
  const child = spawn('flock', [join(scratch, 'root'), 'sh', '-c', script, file, kept]);
  await once(child.stdout, 'data');
  return { ended: once(child, 'close') };
}

describe.runIf(process.platform === 'linux')('a file that a process with another trash is replacing', () => {
  it.each([
    ['written', async () => workspace.write('f', 'new'), 'new'],
    ['edited', async () => workspace.edit('f', [{ oldString: 'text', newString: 'new' }]), 'new'],
    ['appended to', async () => workspace.append('f', ' more'), 'text more'],
  ] as const)('is %s afterwards, and not refused for its second name', async (_, change, content) => {
    const other = await replacedByAnother();
    await change();
    await other.ended;
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('is refused if it still has a second name then', async () => {
    linkSync(file, join(scratch, 'second'));
    let code: unknown;
    try {
      workspace.write('f', 'new');
    } catch (error) {
      ({ code } = error as WorkspaceError);
    }
    expect(code).toBe('hard_linked');
    expect(readFileSync(file, 'utf8')).toBe('text');
  });
});
