import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

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
