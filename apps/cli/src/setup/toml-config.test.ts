import { describe, expect, it } from 'vitest';
import { withEntry, withoutEntry } from './toml-config.ts';

const place = { container: 'mcp_servers', name: 'croft' };
const entry = { command: '/usr/bin/node', args: ['/b/croft.cjs', 'mcp', '/srv/my "app"'] };
const ADDED = `[mcp_servers.croft]
command = "/usr/bin/node"
args = ["/b/croft.cjs", "mcp", "/srv/my \\"app\\""]
`;

describe('a configuration in TOML', () => {
  const others = `# mine
model = "o4" # [not.a.header]
prompt = """
[mcp_servers.croft]
"""
list = [
  [1, 2],
]

[mcp_servers.other]
command = "x"

[[profiles]]
name = 'a'
`;

  it('gets the entry at its end, and every other byte stays', () => {
    expect(withEntry('', place, entry)).toBe(ADDED);
    expect(withEntry(others, place, entry)).toBe(`${others}\n${ADDED}`);
    expect(withoutEntry(`${others}\n${ADDED}`, place)).toBe(others);
  });

  it('keeps what the user added to the entry, and takes a new command', () => {
    const mine = `${ADDED}startup_timeout_sec = 20\n\n[mcp_servers.croft.env]\nMINE = "1"\n\n[tui]\n`;
    expect(withEntry(mine, place, entry)).toBe(mine);
    const moved = { ...entry, command: '/opt/node', env: { CROFT_BASE_DIR: '/c' } };
    expect(withEntry(mine, place, moved)).toBe(
      mine.replace('/usr/bin/node', '/opt/node').replace('MINE = "1"', 'MINE = "1"\nCROFT_BASE_DIR = "/c"'),
    );
    expect(withoutEntry(mine, place)).toBe('[tui]\n');
  });

  it.each([
    ['a server of the same name that is not ours', '[mcp_servers.croft]\ncommand = "other"\n', 'did not write'],
    ['an inline table', 'mcp_servers = { croft = { command = "x" } }\n', 'does not edit'],
    ['dotted keys', '[mcp_servers]\ncroft.command = "x"\n', 'does not edit'],
    ['a string without an end', 'a = "x\n', 'does not parse'],
    [
      'arguments on several lines',
      '[mcp_servers.croft]\ncommand = "node"\nargs = [\n  "/b/croft.cjs", "mcp"\n]\n',
      'on several lines',
    ],
  ])('is left alone if it has %s', (_, text, problem) => {
    expect(() => withEntry(text, place, entry)).toThrow(problem);
  });
});
