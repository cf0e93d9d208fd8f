import { expect, it } from 'vitest';
import { withoutVariable, withVariable } from './settings-variable.ts';

it.each(['{\n  // mine\n  "model": "m"\n}\n', '{"env": {"A": "1"}}'])(
  'adds a variable to %j and removes it again',
  (before) => {
    const text = withVariable(before, 'TMPDIR', '/b/tmp');
    expect(text).toContain('"TMPDIR"');
    expect(withVariable(text, 'TMPDIR', '/b/tmp')).toBe(text);
    expect(withoutVariable(text, 'TMPDIR', '/b/tmp')).toBe(before);
  },
);

it('keeps a value that the user chose', () => {
  const before = '{"env": {"TMPDIR": "/mine"}}';
  expect(withVariable(before, 'TMPDIR', '/b/tmp')).toBe(before);
  expect(withoutVariable(before, 'TMPDIR', '/b/tmp')).toBe(before);
  expect(() => withVariable('{"env": []}', 'TMPDIR', '/b/tmp')).toThrow('something else than an object under "env"');
});
