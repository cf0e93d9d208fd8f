import { describe, expect, it } from 'vitest';
import type { Json } from '../document.ts';
import type { Finding } from '../validate.ts';
import { mcpServerFields } from './mcp-server.ts';
import type { ExportedNode } from './read-export.ts';

/** The fields of a server, and the fields that were left out. */
function read(value: Json, type = 'MCPTools') {
  const findings: Finding[] = [];
  const node = { id: 'M-1', type, fields: { mcp_server: { value } } } as unknown as ExportedNode;
  const fields = mcpServerFields(node, findings);
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value])),
    leftOut: findings.map(({ field }) => field),
  };
}

describe('the MCP server of an export', () => {
  it('has its command line, quoted where it needs it', () => {
    expect(read({ config: { command: 'npx', args: ['-y', 'my server', 7] } })).toEqual({
      fields: { transport: 'Command', command: 'npx -y "my server" 7' },
      leftOut: [],
    });
    expect(read({ command: 'uvx' }).fields).toEqual({ transport: 'Command', command: 'uvx' });
  });

  it.each(['--api-key=x', 'TOKEN=1', 'a1b2c3d4e5f6g7h8i9j0', 'https://user:pw@host/', '--header'])(
    'has no command with %s, which may hold a secret',
    (argument) => {
      const { fields, leftOut } = read({ command: 'npx', args: ['server', argument] });
      expect([fields['command'], leftOut]).toEqual(['', ['command']]);
    },
  );

  it('has its address without user, password, values and fragment', () => {
    expect(read({ url: 'https://host/mcp' })).toEqual({ fields: { url: 'https://host/mcp' }, leftOut: [] });
    expect(read({ url: 'https://ann:pw@host/mcp?a=1&b=2#x' })).toEqual({
      fields: { url: 'https://host/mcp?a=&b=' },
      leftOut: ['url'],
    });
  });

  it('has no headers and no variables', () => {
    expect(read({ url: 'https://host', headers: { a: 'b' } }).leftOut).toEqual(['headers']);
    expect(read({ command: 'npx', env: { A: 'b' } }).leftOut).toEqual(['env']);
    expect(read({ command: 'npx', env: {}, headers: {} }).leftOut).toEqual([]);
  });

  it('has nothing for another type or without a server', () => {
    expect([read({ command: 'npx' }, 'Other'), read('text'), read([]), read({})]).toEqual(
      Array(4).fill({ fields: {}, leftOut: [] }),
    );
  });
});
