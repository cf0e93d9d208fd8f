import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObservedCall } from '../../packages/guard/src/decision.ts';
import type { Judge } from '../../packages/guard/src/judge/judge.ts';
import { openJudges } from './judging.ts';
import { type CorpusRoot, makeRoot } from './make-root.mjs';

// Checks the table "Open" of docs/guard.md against the judge: fails when a gap was closed, or when a row promises too
// much.

const bash = (command: string): ObservedCall => ({ name: 'bash', arguments: { command } });
const codeMode = (text: string): ObservedCall => ({ name: 'functions.exec', arguments: text, isText: true });
const powershell = (command: string): ObservedCall => ({ name: 'powershell', arguments: { command } });

/** A phrase of each row, and calls of its kind. A row gets through if every call of one sample passes. */
const GAPS: Readonly<Record<string, readonly (readonly ObservedCall[])[]>> = {
  'write `build.py`': [
    [{ name: 'write_file', arguments: { path: 'build.py', content: "open('../x', 'w')" } }, bash('python3 build.py')],
  ],
  'code mode': [
    [codeMode('const up = ".."; await tools.exec_command({ cmd: "touch " + up + "/x" })')],
    [codeMode('for (const name of names) await tools.exec_command({ cmd: `touch ../${name}` })')],
  ],
  'where a variable says': [[bash('NODE_V8_COVERAGE=../cov node a.js')], [bash('SSLKEYLOGFILE=../ssl curl https://x')]],
  'PowerShell argument': [
    [powershell('Set-Content (Join-Path .. x) 1')],
    [powershell("Out-File -FilePath ('..' + '/x') -InputObject 1")],
  ],
  'name the guard does not know': [[{ name: 'terminal', arguments: { command: 'touch x', cd: '..' } }]],
  'leaves outside': [[bash('cd ..'), bash('touch x')]],
  'reads it otherwise': [
    [bash("sh -c '[[ a > ../x ]]'")],
    [bash("sh -c '((touch ../x))'")],
    [bash("sh -c 'cd src &> /dev/null; touch ../x'")],
    [bash("sh -c 'builtin cd src; touch ../x'")],
  ],
  'another depth': [[bash('cp -a src/link q; touch q/../x')], [bash('mv src/link q; touch q/x')]],
  'link that leads outside': [[bash('cd sub'), bash('touch neighbour/x')]],
  'although it looks sure': [[bash('rbash -c "cd sub; touch ../x"')], [bash('rm -r src | cat; cd src; touch ../x')]],
  'An option that writes': [
    [bash('kubectl get pods --cache-dir=../x')],
    [bash('ncat -x ../x host 1')],
    [bash("gdb -ex 'dump memory ../x 0 1'")],
  ],
  'a server that reads relative paths': [[{ name: 'write_file', arguments: { path: 'x', content: '1' } }]],
  'core.hooksPath': [
    [
      bash('git config core.hooksPath .evil'),
      { name: 'write_file', arguments: { path: '.evil/pre-commit', content: 'x' } },
    ],
  ],
  'Package managers': [[bash('pip install foo')], [bash('npm install foo')]],
  'reads input': [
    [bash('pry'), bash('File.write "."+"./x", "y"')],
    [bash('pry'), bash('File.write("../x", "y")')],
  ],
};

let root: CorpusRoot;
let judges: Record<'strict' | 'default', Judge>;
const rows = readFileSync(join(import.meta.dirname, '../../docs/guard.md'), 'utf8')
  .split('### Open\n')[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| --') && !line.startsWith('| Gets'));

beforeAll(() => {
  root = makeRoot();
  judges = openJudges(root.root);
});
afterAll(() => {
  for (const judge of Object.values(judges)) judge.close();
  root.remove();
});

describe('the gaps that docs/guard.md lists', () => {
  it('are all tested', () => {
    expect(rows?.length).toBe(Object.keys(GAPS).length);
  });

  it.each(Object.entries(GAPS))('say truly in which mode this gets through: %s', (phrase, samples) => {
    const row = rows?.find((line) => line.includes(phrase));
    const [, , byDefault, strictly] = (row ?? '').split(/ *\| */);
    const through = (judge: Judge) => {
      const passed = samples.filter((calls) => calls.every((call) => judge.judge(call).decision === 'allow'));
      return passed.length === samples.length ? 'yes' : passed.length === 0 ? 'no' : 'some';
    };
    expect({ byDefault: through(judges.default), strictly: through(judges.strict) }).toEqual({ byDefault, strictly });
  });
});
