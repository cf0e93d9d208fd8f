import { expect, it } from 'vitest';
import { refusalNote, refusalResult, shortName } from './refusal.ts';
import { BLOCK } from './testing.ts';

it('says what was refused, why, and what would be accepted', () => {
  expect(refusalResult('write_file', BLOCK)).toBe(
    "Refused: write_file was not run. Path '/etc/x' is outside the project directory. Use a path inside /p. Nothing was changed.",
  );
  expect(refusalNote('write_file', BLOCK)).toBe(
    "[Croft guard: the call to write_file was refused and not run. Path '/etc/x' is outside the project directory. Use a path inside /p.]",
  );
  expect(refusalResult('x', { ...BLOCK, reason: 'Why?', accepted: ' ' })).toBe(
    'Refused: x was not run. Why? Nothing was changed.',
  );
});

it('cuts a reason behind 800 characters', () => {
  const said = (length: number) => refusalResult('x', { ...BLOCK, reason: 'r'.repeat(length), accepted: '' });
  expect(said(800)).toContain(`${'r'.repeat(800)}. Nothing`);
  expect(said(801)).toContain(`${'r'.repeat(800)}… Nothing`);
});

it('shows the name that a model chose as one short line', () => {
  expect(shortName('bash\u001b[2J\n\u202erm\u200b')).toBe('bash [2J rm');
  expect(shortName(' \n')).toBe('a tool without a name');
  expect(shortName('n'.repeat(64))).toBe('n'.repeat(64));
  expect(shortName('n'.repeat(65))).toBe(`${'n'.repeat(64)}…`);
});
