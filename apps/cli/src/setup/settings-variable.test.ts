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

it.each([
  ['\ufeff{}', '\ufeff{\n  "env": {\n    "T": "/t"\n  }\n}'],
  ['{"env":{"A":"1"}}', '{"env":{"A":"1","T":"/t"}}'],
  ['{"env":{"T":"other"}}', '{"env":{"T":"other"}}'],
])('adds the variable to %j', (before, after) => {
  expect(withVariable(before, 'T', '/t')).toBe(after);
});

it.each([
  ['{"env":{"A":"1","T":"/t"}}', '{"env":{"A":"1"}}'],
  ['\ufeff{"env":{"T":"/t"},"a":1}', '\ufeff{"a":1}'],
  ['{"env":{"T":"other"}}', '{"env":{"T":"other"}}'],
  ['{"env":[]}', '{"env":[]}'],
  ['', ''],
])('removes the variable from %j', (before, after) => {
  expect(withoutVariable(before, 'T', '/t')).toBe(after);
});

it('adds a variable with the name of a member of objects', () => {
  expect(withVariable('{"env":{}}', 'toString', '/t')).toBe('{"env":{"toString":"/t"}}');
});

it('keeps a null of the user', () => {
  expect(() => withVariable('{"env":null}', 'T', '/t')).toThrow('holds something else than an object under "env"');
});
