import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['croft setup', '~/.claude/settings.json'],
  ['croft undo', '~/.claude/settings.json'],
])('agents: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['claude mcp list', 'code .', 'cursor-agent status'])(
  'agents: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  'claude mcp add x',
  "claude -p 'do it'",
  "codex exec 'do it'",
  'codex --yolo',
  'code --install-extension x',
  'gemini extensions install x',
  'aider --message x',
])('agents: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
