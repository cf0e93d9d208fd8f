import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinRegistry, builtinSource } from '@croft/components';
import { beforeEach, describe, expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { listComponents } from './list-components.ts';

const builtin = builtinRegistry().entries.map(({ descriptor }) => descriptor);
let dir: string;
let output: { out: string; err: string };
beforeEach(() => {
  dir = testDir();
  output = captureOutput();
});

describe('croft components', () => {
  it('lists the components by category, with their number', async () => {
    await listComponents(undefined, { dir });
    const lines = output.out.trimEnd().split('\n');
    expect(lines.at(-1)).toBe(`${builtin.length} components`);
    const categories = [...new Set(builtin.map(({ category }) => category))];
    expect(lines.filter((line) => !line.startsWith('  ')).slice(0, -1)).toEqual(categories);
    const width = Math.max(...builtin.map(({ type }) => type.length));
    const chat = builtin.find(({ type }) => type === 'ChatInput');
    expect(lines).toContain(`  ${'ChatInput'.padEnd(width)}  ${chat?.description}`);
    expect(lines.indexOf(`  ${'ChatInput'.padEnd(width)}  ${chat?.description}`)).toBeGreaterThan(
      lines.indexOf(chat?.category ?? ''),
    );
    expect(lines).toHaveLength(builtin.length + categories.length + 1);
  });

  it('prints descriptors as JSON', async () => {
    await listComponents(undefined, { dir, json: true });
    expect(JSON.parse(output.out)).toHaveLength(builtin.length);
    expect(output.out).toMatch(/^\[\n {2}\{[^]*\n\]\n$/);
    output.out = '';
    await listComponents('ChatInput', { dir, json: true });
    expect(JSON.parse(output.out)).toMatchObject({ type: 'ChatInput' });
    expect(output.out).toMatch(/^\{\n {2}"/);
  });

  it('shows the fields and outputs of one', async () => {
    await listComponents('ParserComponent', { dir });
    expect(output.out).toBe(`ParserComponent  ${builtin.find(({ type }) => type === 'ParserComponent')?.description}
inputs
  input_data · handle · Table | Data · required
  mode · select · one of: Parser | Stringify · default: "Parser"
  pattern · multiline · Message · only if mode is "Parser" · default: "Text: {text}"
  sep · text · Message · default: "\\n"
  if_empty · text · only if mode is "Parser" · The text where there are no records.
outputs
  parsed_text · Message
`);
  });

  it('shows what a flow written by hand needs: options, defaults, columns and when a value is required', async () => {
    await listComponents('FilterRows', { dir });
    await listComponents('APIRequest', { dir });
    const lines = output.out.split('\n');
    expect(lines.find((line) => line.startsWith('  operator'))).toMatch(
      /^ {2}operator · select · one of: equals \| not equals \| .* \| is not empty · default: "equals"$/,
    );
    expect(lines.find((line) => line.startsWith('  filter_value'))).toContain(
      ' · required if operator is "contains" or ',
    );
    expect(lines).toContain('  url_input · text · Message · required · only if mode is "URL"');
    expect(lines).toContain('  headers · table · only if mode is "URL" · columns: key (text), value (text)');
    expect(lines).toContain('  timeout · integer · default: 30');
  });

  it('shows the options of columns, and leaves a long default to the JSON', async () => {
    const code = `export class Mine extends Component {
  inputs = [
    { name: 'rows', kind: 'table', columns: [{ name: 'a', label: 'A', kind: 'select', options: ['x', 'y'] }] },
    { name: 'long', kind: 'text', default: '${'x'.repeat(300)}' },
    { name: 'none', kind: 'text', default: '' },
  ];
  outputs = [{ name: 'o', types: ['Message'], method: 'run' }];
  run() { return 'x'; }
}
`;
    mkdirSync(join(dir, '.components'));
    writeFileSync(join(dir, '.components', 'Mine.ts'), code);
    await listComponents('Mine', { dir });
    const lines = output.out.split('\n').map((line) => line.trim());
    expect(lines).toContain('rows · table · columns: a (select: x | y)');
    expect(lines.find((line) => line.startsWith('long'))).toMatch(/ · default: see --json$/);
    expect(lines.find((line) => line.startsWith('none'))).not.toContain('default');
  });

  it('shows no control characters that the code of a component has', async () => {
    const text = '\u001b]0;title\u0007 \u009b2J \u202e';
    const code = `export class Mine extends Component {
  description = ${JSON.stringify(text)};
  outputs = [{ name: 'o', types: ['Message'], method: 'run' }];
  run() { return 'x'; }
}
`;
    mkdirSync(join(dir, '.components'));
    writeFileSync(join(dir, '.components', 'Mine.ts'), code);
    await listComponents(undefined, { dir });
    await listComponents('Mine', { dir });
    await listComponents('Mine', { dir, json: true });
    expect(output.out.match(/\\u202e/g)).toHaveLength(3);
    expect(output.out).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
  });

  it('suggests the name of a component that there is not', async () => {
    await expect(listComponents('ChatInputt', { dir })).rejects.toThrow(
      "there is no component 'ChatInputt'; did you mean ChatInput? croft components lists them",
    );
  });
});

describe('croft components show --source', () => {
  const source = (type?: string) => listComponents(type, { dir, source: true });

  it('prints the source of a built-in component that can be edited', async () => {
    const editable = builtin.find(({ type }) => builtinSource(type) !== undefined)?.type as string;
    await source(editable);
    expect(output.out).toBe(builtinSource(editable));
  });

  it('needs a component, and one that can be edited', async () => {
    await expect(source()).rejects.toThrow('name a component: croft components show TYPE --source');
    const fixed = builtin.find(({ type }) => builtinSource(type) === undefined)?.type as string;
    await expect(source(fixed)).rejects.toThrow(new RegExp(`^${fixed} cannot be edited: .+`));
  });

  it('prints the source of a component of the directory', async () => {
    const code =
      "export class Mine extends Component {\n  outputs = [{ name: 'o', types: ['Message'], method: 'run' }];\n  run() { return 'x'; }\n}\n";
    mkdirSync(join(dir, '.components'));
    writeFileSync(join(dir, '.components', 'Mine.ts'), code);
    await source('Mine');
    expect(output).toEqual({ out: code, err: '' });
  });
});
