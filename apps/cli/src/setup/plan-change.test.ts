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

describe('a plan', () => {
  it('has the file as it was found, and both texts', () => {
    const given = place('{"x":1}');
    const text = '{"x":1,"mcpServers":{"croft":{"command":"croft","args":["mcp"]}}}';
    expect(planChange(given, 'croft', ENTRY)).toEqual({
      kind: 'write',
      place: given,
      found: { path: given.file, text: '{"x":1}' },
      before: '{"x":1}',
      after: text,
    });
    const none = place();
    expect(planChange(none, 'croft', ENTRY)).toMatchObject({ found: { path: none.file, text: undefined }, before: '' });
  });

  it('says why a change is refused', () => {
    const given = place('[]');
    expect(planChange(given, 'croft', ENTRY)).toEqual({
      kind: 'refused',
      place: given,
      problem: 'does not hold a JSON object',
    });
    const directory = place();
    mkdirSync(directory.file);
    expect(planChange(directory, 'croft', ENTRY)).toMatchObject({ kind: 'refused', problem: 'is not a file' });
    expect(() => planChange({ ...given, format: 'other' as never }, 'croft', ENTRY)).toThrow(TypeError);
  });

  it('has nothing to do for a file without the entry, and uses the given name', () => {
    const given = place('{"mcpServers":{"other":{"command":"croft","args":["mcp"]}}}');
    expect(planChange(given, 'croft', undefined)).toEqual({ kind: 'nothing', place: given });
    expect(planChange(given, 'other', undefined)).toMatchObject({ kind: 'write', after: '{"mcpServers":{}}' });
  });

  it('keeps the object of the servers where the oldest backup has it or cannot be read', () => {
    for (const [first, second] of [
      ['{"mcpServers":{}}', '{}'],
      ['{', '{}'],
    ] as const) {
      const given = place(JSON.stringify({ mcpServers: { croft: ENTRY } }));
      writeFileSync(`${given.file}${BACKUP_MARK}1`, first);
      writeFileSync(`${given.file}${BACKUP_MARK}2`, second);
      writeFileSync(`${given.file}.other`, '{}');
      expect(after(given, undefined)).toBe('{"mcpServers":{}}');
    }
  });

  it('removes the object of the servers from YAML, too', () => {
    const given = place(`x: 1\nmcpServers:\n  croft:\n    command: croft\n    args: [mcp]\n`, 'yaml');
    writeFileSync(`${given.file}${BACKUP_MARK}1`, 'x: 1\n');
    expect(after(given, undefined)).toBe('x: 1\n');
  });
});
