// The workspace and the tools as libraries, as the builder of an agent product uses them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool, fixedWorkspace, makeToolset } from '@croft/tools';
import { closeSearchWorkers, openWorkspace, WorkspaceError } from '@croft/workspace';

const dir = mkdtempSync(join(tmpdir(), 'croft-library-'));
try {
  writeFileSync(join(dir, 'notes.md'), '# Notes\n\nBuy milk\n');
  symlinkSync('/etc/passwd', join(dir, 'innocent.txt'));

  const workspace = openWorkspace(dir);
  const { lines } = await workspace.readText('notes.md', { offset: 3, limit: 1 });
  assert.deepEqual(lines, ['Buy milk']);
  workspace.edit('notes.md', [{ oldString: 'milk', newString: 'bread' }]);
  assert.equal((await workspace.grep({ pattern: 'bread' })).matches.length, 1);
  await assert.rejects(
    async () => workspace.readText('innocent.txt'),
    (error) => error instanceof WorkspaceError && error.code === 'link_outside',
  );

  // The same as a model would call it: it never throws, and always returns an envelope.
  const tools = makeToolset('files', fixedWorkspace(workspace), { readOnly: true });
  const refused = await callTool({ tools }, { name: 'write_file', input: { path: 'x', content: 'y' } });
  assert.equal(refused.ok, false);
  console.log(`  ${refused.data.error}`);
  workspace.close();
  await closeSearchWorkers();
} finally {
  rmSync(dir, { recursive: true, force: true });
}
