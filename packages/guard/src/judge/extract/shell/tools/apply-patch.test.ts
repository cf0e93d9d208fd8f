import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

it.each([
  [String.raw`apply_patch $'*** Begin Patch\n*** Add File: a\n+x\n*** End Patch'`, 'a'],
  ["apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nE", 'a'],
  ["apply_patch '*** Begin Patch\n*** Delete File: b\n*** End Patch'", 'b'],
  ["codex --codex-run-as-apply-patch '*** Begin Patch\n*** Delete File: b\n*** End Patch'", 'b'],
])('patches: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['apply_patch --help'])('patches: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['apply_patch < p', "apply_patch 'no patch'", 'echo x | apply_patch', 'codex exec x', 'apply_patch -v'])(
  'patches: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);

it.each([
  ['apply_patch', '? A patch is applied that is not in the command.'],
  ['apply_patch --help', ''],
  ['apply_patch -h', ''],
  ['apply_patch --version', ''],
  ['apply-patch -V', ''],
  ["apply_patch 'not a patch'", '? A patch is applied that is not in the command.'],
  ['apply_patch "$X"', '? A patch is applied that is not in the command.'],
  ["apply_patch '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch'", 'a b'],
  ["applypatch -v '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch'", 'a b'],
  ["apply_patch <<'E'\n*** Begin Patch\n*** Add File: /etc/x\n+x\n*** End Patch\nE", '/etc/x'],
  ["codex --codex-run-as-apply-patch '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch'", 'a'],
  ['codex --codex-run-as-apply-patch', '? A patch is applied that is not in the command.'],
  ['codex --out /x', '/x'],
  ['cat p | apply_patch', '<p ? A patch is applied that is not in the command.'],
])('patches: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
