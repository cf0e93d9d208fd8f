import { expect, it } from 'vitest';
import { refusalOf } from '@croft/workspace/testing';
import { mcpServerOf } from './mcp-server-of.ts';

const services = {
  credential: (name: string) => (name === 'KEY' ? { value: 'secret', hosts: ['a.example'] } : undefined),
};

it('is a program with its arguments, or an address with the value of a credential', () => {
  expect(mcpServerOf({ kind: 'command', command: 'npx "my server"' }, services)).toEqual({
    kind: 'command',
    argv: ['npx', 'my server'],
  });
  const url = ' https://a.example/mcp ';
  expect(mcpServerOf({ kind: 'http', url, credential: ' KEY ' }, services)).toEqual({
    kind: 'http',
    url: 'https://a.example/mcp',
    token: 'secret',
  });
  expect(mcpServerOf({ kind: 'http', url, credential: ' ' }, services)).toMatchObject({ token: undefined });
});

it('gets no credential of another host, and needs a command', () => {
  const elsewhere = { kind: 'http', url: 'https://b.example', credential: 'KEY' } as const;
  expect(refusalOf(() => mcpServerOf(elsewhere, services))).toContain('is not sent to');
  expect(refusalOf(() => mcpServerOf({ kind: 'command', command: '  ' }, services))).toBe('The command is empty.');
});
