import { expect, it } from 'vitest';
import { serverCommand } from './server-command.ts';

it('starts the program by the absolute paths of Node and of its file', () => {
  const program = { node: '/usr/bin/node', script: '/b/croft.cjs', version: '1', platform: 'linux' } as const;
  expect(serverCommand(program, ['--read-only', '/srv'])).toEqual({
    command: '/usr/bin/node',
    args: ['/b/croft.cjs', 'mcp', '--read-only', '/srv'],
  });
});
