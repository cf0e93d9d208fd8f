import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { interruptAt } from '../../../../tests/support/interrupt-at.ts';

const croft = fileURLToPath(new URL('../../dist/croft.cjs', import.meta.url));
const dir = fileDir();

const SUM = `export class SumNumbers extends Component {
  inputs = [{ name: 'a', kind: 'number', default: 1 }, { name: 'b', kind: 'number', default: 2 }];
  outputs = [{ name: 'total', types: ['Message'], method: 'add' }];
  a!: number;
  b!: number;
  add(): string {
    if (this.b > 10) throw new RangeError('b is too large');
    return \`\${this.a + this.b}\`;
  }
}
`;

const flowOf = (b: number) =>
  `nodes:\n  S: SumNumbers\n  O: ChatOutput\nedges:\n  S.total -> O.input_value\nconfig:\n  S.b: ${b}\n`;

const codeFlow = (body: string) =>
  `nodes:\n  I: ChatInput\n  C: TypeScriptCode\n  O: ChatOutput\nedges:\n  I.message -> C.words\n  C.count -> O.input_value\nconfig:\n  C.code: |\n    class Count extends Component {\n      inputs = [{ name: 'words', kind: 'text' }];\n      outputs = [{ name: 'count', types: ['Message'], method: 'count' }];\n      count() { ${body} }\n    }\n`;

beforeAll(() => {
  mkdirSync(join(dir, 'files/.components'), { recursive: true });
  writeFileSync(join(dir, 'files/.components/SumNumbers.ts'), SUM);
  writeFileSync(join(dir, 'files/.components/Broken.ts'), 'export class Broken extends Component {\n  outputs = [;\n}');
});

const env = () => ({ ...process.env, CROFT_BASE_DIR: join(dir, 'base') });

function run(flow: string, ...args: string[]) {
  writeFileSync(join(dir, 'a.flow'), flow);
  const done = spawnSync(process.execPath, [croft, 'run', 'a.flow', '--dir', 'files', ...args], {
    cwd: dir,
    encoding: 'utf8',
    env: env(),
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe('croft run with code of a user', () => {
  it('uses the components of the directory, and reports those that it leaves out', () => {
    const { code, out, err } = run(flowOf(2));
    expect({ code, out }).toEqual({ code: 0, out: '3\n' });
    expect(err).toContain('skipped  .components/Broken.ts: Line 2 of the code: Unexpected token.');
  });

  it('names the line of a failure', () => {
    const { code, out, err } = run(flowOf(11));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('SumNumbers, line 7: RangeError: b is too large. Change line 7 of the code, or the inputs.');
    expect(err).not.toContain(dir);
  });

  it('connects the ports of code inside of a flow', () => {
    const flow = codeFlow("return this.words.split(' ').length + ' words';");
    expect(run(flow, '--input', 'one two three')).toMatchObject({ code: 0, out: '3 words\n' });
  });

  it('does not start a flow with forbidden code', () => {
    const { code, err } = run(codeFlow('return process.env.HOME;'), '--input', 'x');
    expect(code).toBe(2);
    expect(err).toContain('C: Line 4 of the code: process is forbidden in components');
  });

  it('stops between the rows of a loop on Ctrl-C', async () => {
    const rows = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ n })));
    const source = `class Next extends Component { inputs = [{ name: 'row', kind: 'handle', accepts: ['Data'] }]; outputs = [{ name: 'next', types: ['Data'] }]; run() { return { next: this.row }; } }`;
    writeFileSync(
      join(dir, 'loop.flow'),
      `nodes:\n  T: TextInput\n  C: TypeConverterComponent\n  L: LoopComponent\n  N: TypeScriptCode\nedges:\n  T.text -> C.input_data\n  C.dataframe_output -> L.data\n  L.item -> N.row\n  N.next -> L.item\nconfig:\n  T.input_value: ${JSON.stringify(rows)}\n  N.code: ${JSON.stringify(source)}\n`,
    );
    const args = ['run', 'loop.flow', '--json'];
    const child = spawn(process.execPath, [croft, ...args], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: env(),
    });
    expect(await interruptAt(child, '"path":"L[')).toBe(130);
  });
});
