import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Program, serverCommand } from './server-command.ts';

let dir: string;
const program = (script: string, platform: NodeJS.Platform = 'linux'): Program => ({
  node: '/usr/bin/node',
  script,
  version: '1.2.3',
  platform,
});

beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'croft-command-')));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the command that is written', () => {
  it('names Node and the installed file behind the link a global installation makes', () => {
    const installed = join(dir, 'lib/node_modules/croft/dist');
    mkdirSync(installed, { recursive: true });
    mkdirSync(join(dir, 'bin'));
    writeFileSync(join(installed, 'croft.cjs'), '');
    symlinkSync(join(installed, 'croft.cjs'), join(dir, 'bin/croft'));
    const { command, args } = serverCommand(program(join(dir, 'bin/croft')), ['--read-only', '/srv']);
    expect([command, ...args]).toEqual(['/usr/bin/node', join(installed, 'croft.cjs'), 'mcp', '--read-only', '/srv']);
  });

  it('goes through npx, with this version, when it runs from the cache of npx', () => {
    const cached = '/home/ada/.npm/_npx/6f0e/node_modules/croft/dist/croft.cjs';
    expect(serverCommand(program(cached), ['/srv'])).toEqual({
      command: 'npx',
      args: ['-y', 'croft@1.2.3', 'mcp', '/srv'],
    });
    const onWindows = 'C:\\npm-cache\\_npx\\6f0e\\node_modules\\croft\\dist\\croft.cjs';
    expect(serverCommand(program(onWindows, 'win32'), ['C:\\srv'])).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', '-y', 'croft@1.2.3', 'mcp', 'C:\\srv'],
    });
    expect(() => serverCommand(program(onWindows, 'win32'), ['C:\\a&calc'])).toThrow('npm i -g croft');
  });
});
