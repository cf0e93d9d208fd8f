import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { ClientPlace } from './clients.ts';
import { planChange } from './plan-change.ts';
import { BACKUP_MARK } from './replace-file.ts';

const ENTRY = { command: 'croft', args: ['mcp'] };
/** The place of a client's configuration with this text. */
function place(text?: string, format: 'json' | 'toml' | 'yaml' = 'json'): ClientPlace {
  const file = join(testDir(), 'config');
  if (text !== undefined) writeFileSync(file, text);
  return { id: 'claude', title: 'A client', file, format, container: 'mcpServers' } as unknown as ClientPlace;
}
const after = (given: ClientPlace, entry: typeof ENTRY | undefined) => {
  const plan = planChange(given, 'croft', entry);
  return plan.kind === 'write' ? plan.after : plan.kind;
};

describe('a change of a configuration', () => {
  it('adds the entry, also to a file that does not exist', () => {
    const text = after(place(), ENTRY) as string;
    expect(JSON.parse(text)).toEqual({ mcpServers: { croft: ENTRY } });
    expect(after(place(text), ENTRY)).toBe('nothing');
    const other = JSON.parse(after(place('{"mcpServers":{"other":{}},"x":1}'), ENTRY) as string);
    expect(other).toEqual({ mcpServers: { other: {}, croft: ENTRY }, x: 1 });
  });

  it('removes the entry, and nothing else', () => {
    expect([after(place(), undefined), after(place('{}'), undefined)]).toEqual(['nothing', 'nothing']);
    const removed = after(place(JSON.stringify({ mcpServers: { croft: ENTRY }, x: 1 })), undefined) as string;
    expect(JSON.parse(removed)).toEqual({ mcpServers: {}, x: 1 });
  });

  it('removes the object of the servers where the oldest backup has none', () => {
    const given = place(JSON.stringify({ mcpServers: { croft: ENTRY }, x: 1 }));
    writeFileSync(`${given.file}${BACKUP_MARK}1`, '{"x":1}');
    writeFileSync(`${given.file}${BACKUP_MARK}2`, '{"mcpServers":{}}');
    expect(JSON.parse(after(given, undefined) as string)).toEqual({ x: 1 });
  });

  it('knows the other formats', () => {
    expect(after(place(undefined, 'toml'), ENTRY)).toContain('croft]');
    expect(after(place(undefined, 'yaml'), ENTRY)).toContain('croft:');
  });

  it('is refused where the file cannot be read', () => {
    expect([after(place('{"mcpServers":'), ENTRY), after(place('[]'), ENTRY)]).toEqual(['refused', 'refused']);
    const directory = place();
    mkdirSync(directory.file);
    expect(after(directory, ENTRY)).toBe('refused');
  });
});
