// The agent's session in two examples: finds a symbol, reads around it, edits it, sees the diff, deletes a file, and is
// refused outside. Every step checks the result.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs the session with a connected client and reports each step to `say`. */
export async function runAgentSession(client, project, say) {
  const call = async (name, args) => {
    say(`agent> ${name} ${JSON.stringify(args)}`);
    const result = await client.callTool({ name, arguments: args });
    const text = result.content.map((block) => block.text ?? `[${block.type}]`).join('\n');
    say(`       ${shorten(result.isError ? `refused: ${text}` : text)}`);
    return { ...result, text, data: result.structuredContent ?? parse(text) };
  };

  const { tools } = await client.listTools();
  say(`tools: ${tools.map((tool) => tool.name).join(', ')}`);
  assert.ok(tools.length >= 15);

  const found = await call('grep_search', { pattern: 'const RETRY_MS', output_mode: 'content', glob: 'settle.ts' });
  assert.equal(found.data.matches.length, 1);
  const [{ path, line_number: line }] = found.data.matches;

  const read = await call('read_file', { path, offset: line - 1, limit: 3 });
  assert.match(read.data.content, /const RETRY_MS = 5;/);

  const edited = await call('edit_file', {
    path,
    old_string: 'const RETRY_MS = 5;',
    new_string: 'const RETRY_MS = 8;',
    expected_version: read.data.version,
  });
  say(edited.data.diff);
  assert.match(edited.data.diff, /^-const RETRY_MS = 5;$/m);
  assert.match(edited.data.diff, /^\+const RETRY_MS = 8;$/m);
  assert.match(readFileSync(join(project, path), 'utf8'), /RETRY_MS = 8/);

  const stale = await call('write_file', { path, content: 'lost', expected_version: read.data.version });
  assert.equal(stale.isError, true);

  const deleted = await call('delete_path', { path: 'mcp/README.md' });
  assert.equal(deleted.data.undoable, true);
  assert.equal(existsSync(join(project, 'mcp/README.md')), false);

  for (const outside of ['../home/.ssh/id_rsa', '/etc/passwd', 'workspace/../../outside.txt']) {
    const refused = await call('read_file', { path: outside });
    assert.equal(refused.isError, true);
    assert.doesNotMatch(refused.text, new RegExp(project));
  }
  const written = await call('write_file', { path: '../escaped.txt', content: 'x' });
  assert.equal(written.isError, true);
  assert.equal(existsSync(join(project, '../escaped.txt')), false);
  return { path };
}

/** The person reads the log and undoes everything. */
export function runPersonSession(croft, project, before, say) {
  const person = (args) => {
    say(`person> croft ${args.join(' ')}`);
    const out = croft(args);
    say(out.trimEnd());
    return out;
  };
  const log = person(['log', '--changes']);
  assert.match(log, /edit_file/);
  assert.match(log, /delete_path/);
  const undone = person(['undo', '2', '--yes']);
  assert.equal((undone.match(/^undone /gm) ?? []).length, 2);
  for (const [path, content] of before)
    assert.equal(readFileSync(join(project, path), 'utf8'), content, `${path} is as it was`);
  assert.match(person(['undo', '--yes']), /Nothing to undo/);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shorten(text) {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
