import { expect, it } from 'vitest';
import { serverCommand, serverEntry } from './server-command.ts';

it('starts the program by the absolute paths of Node and of its file', () => {
  const program = { node: '/usr/bin/node', script: '/b/croft.cjs', version: '1', platform: 'linux' } as const;
  expect(serverCommand(program, ['--read-only', '/srv'])).toEqual({
    command: '/usr/bin/node',
    args: ['/b/croft.cjs', 'mcp', '--read-only', '/srv'],
  });
});

it('gives the entry of a client its base directory only where there is one', () => {
  const shaped: unknown[] = [];
  const place = { shape: (...given: unknown[]) => (shaped.push(given), { made: true }) } as never;
  const server = { command: 'node', args: ['croft.cjs', 'mcp'] };
  expect(serverEntry(place, 'croft', server, undefined)).toEqual({ made: true });
  serverEntry(place, 'mine', server, '/base');
  expect(shaped).toEqual([
    [server, 'croft'],
    [{ ...server, env: { CROFT_BASE_DIR: '/base' } }, 'mine'],
  ]);
});
