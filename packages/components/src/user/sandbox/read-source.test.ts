import { describe, expect, it } from 'vitest';
import { MAX_CLASS_NAME, MAX_SOURCE_BYTES, readSource } from './read-source.ts';

const BODY = "  outputs = [{ name: 'result', method: 'build' }];\n  build() { return 1; }";
const source = (more = '', name = 'Own', before = 'export ') =>
  `${before}class ${name} extends Component {\n${more}${BODY}\n}`;
const component = (text: string) => {
  const read = readSource(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.component;
};
const problems = (text: string) => {
  const read = readSource(text);
  return read.ok ? [] : read.problems;
};

describe('a component', () => {
  it('has its texts, its ports and its code without types', () => {
    const text = source("  label = 'L';\n  description = 'D.';\n  icon = 'i';\n  value!: string;\n");
    expect(component(text)).toMatchObject({
      className: 'Own',
      label: 'L',
      description: 'D.',
      icon: 'i',
      fields: [],
      imports: [],
    });
    const { js, outputs } = component(text);
    expect(js.split('\n')).toHaveLength(text.split('\n').length);
    expect(js).not.toContain('string');
    expect(outputs).toMatchObject([{ name: 'result', method: 'build' }]);
  });

  it('has the name of its class and a description unless it says others', () => {
    expect(component(source())).toMatchObject({ label: 'Own', description: 'A component of your own.' });
    expect(component(source())).not.toHaveProperty('icon');
    expect(component(source("  displayName = 'A';\n")).label).toBe('A');
    expect(component(source("  display_name = 'B';\n")).label).toBe('B');
  });

  it('is the exported class that extends Component, else another one', () => {
    const helper = 'class Helper {}\n';
    expect(component(helper + source()).className).toBe('Own');
    expect(component(`export class First {}\n${source('', 'Second', '')}`).className).toBe('Second');
    expect(component(source('', 'Plain', '').replace(' extends Component', '')).className).toBe('Plain');
    expect(component(source('', 'Own', 'export default ')).className).toBe('Own');
    expect(component(`${source('', 'First', '')}\n${source('', 'Second')}`).className).toBe('Second');
  });

  it('may import from its own module by name, which is blanked', () => {
    const { js, imports } = component(`import { Component, toText } from '@croft/component';\n${source()}`);
    expect(imports).toEqual(['toText']);
    expect(js.startsWith(' '.repeat(10))).toBe(true);
    expect(js).not.toContain('import');
    expect(problems(`import { toText as t } from '@croft/component';\n${source()}`)).toMatchObject([
      { kind: 'ports', line: 1, message: 'Import from @croft/component by name: import { Component, toText }.' },
    ]);
    expect(problems(`import * as c from '@croft/component';\n${source()}`)).toHaveLength(1);
  });
});

describe('a source that cannot be used', () => {
  it.each<[string, string, object]>([
    ['is empty', ' \n', { kind: 'syntax', line: 0, column: 0, message: 'The code is empty.' }],
    ['has no class', 'export const a = 1;', { kind: 'ports', line: 0 }],
    ['has a class with a small letter', source('', 'own'), { kind: 'ports', line: 1 }],
    ['imports another module', `import fs from 'fs';\n${source()}`, { kind: 'forbidden', line: 1 }],
    ['is not TypeScript', 'export class {', { kind: 'syntax', line: 1 }],
    ['has a method without a value', source().replace('return 1;', ''), { kind: 'ports', line: 3 }],
    ['uses what is forbidden', source().replace('return 1', 'return eval("1")'), { kind: 'forbidden', line: 3 }],
  ])('%s', (_, text, problem) => {
    expect(problems(text)).toMatchObject([problem]);
  });

  it('is too large', () => {
    const padding = (bytes: number) => source() + ' '.repeat(bytes - Buffer.byteLength(source()));
    expect(problems(padding(MAX_SOURCE_BYTES))).toEqual([]);
    expect(problems(padding(MAX_SOURCE_BYTES + 1))).toMatchObject([
      { kind: 'syntax', message: `code size ${MAX_SOURCE_BYTES + 1} bytes exceeds limit of ${MAX_SOURCE_BYTES} bytes` },
    ]);
  });

  it('has a class name that is too long', () => {
    expect(problems(source('', `A${'b'.repeat(MAX_CLASS_NAME - 1)}`))).toEqual([]);
    expect(problems(source('', `A${'b'.repeat(MAX_CLASS_NAME)}`))).toMatchObject([
      { message: 'class_name length 65 exceeds max 64 (Windows MAX_PATH safeguard)' },
    ]);
  });

  it('is nested too deeply', () => {
    const deep = `const a = ${'('.repeat(50_000)}1${')'.repeat(50_000)};\n${source()}`;
    expect(problems(deep)[0]?.message).toBe('The code is nested too deeply.');
  });

  it('has at most twenty problems', () => {
    expect(problems(`${'eval(1);\n'.repeat(30)}${source()}`)).toHaveLength(20);
  });

  it('names the place in the source, from 1', () => {
    expect(problems('const a = 1;\nconst b = ;')).toMatchObject([{ line: 2, column: 11 }]);
    const [late] = problems(`${'\n'.repeat(11)}const b = ;`);
    expect([late?.line, late?.message]).toEqual([12, expect.not.stringContaining('12')]);
  });
});
