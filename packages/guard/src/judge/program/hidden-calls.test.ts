import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { programCalls } from './program-calls.ts';

type Run = (tools: object, noise: () => string, f: () => string) => Promise<unknown>;
const AsyncFunction = (async () => {}).constructor as new (...source: string[]) => Run;

const UP = '"../x"';
/** Ways to call `write_file` with a path outside. */
const HOSTILE = [
  `tools.write_file({ path: ${UP} })`,
  `tools["write_file"]({ "path": ${UP} })`,
  `t\\u006fols.write_\\u{66}ile({ p\\u0061th: "\\x2e./x" })`,
  `tools["write_\\\nfile"]({ path: "..\\\n/x" })`,
  `tools\n/* ( */ . // (\n write_file /* " */ ({ path: ${UP}, })`,
  `tools?.write_file({ path: ${UP} })`,
  `tools.write_file?.({ path: ${UP} })`,
  `tools.write_file.call(null, { path: ${UP} })`,
  `(0, tools.write_file)({ path: ${UP} })`,
  `(tools)[("write_file")]({ path: ${UP} })`,
  `tools["write" + "_file"]({ path: ${UP} })`,
  `tools[\`write_\${"file"}\`]({ path: \`..\${"/x"}\` })`,
  `[tools][0].write_file({ path: ${UP} })`,
  `(({ write_file }) => write_file({ path: ${UP} }))(tools)`,
  `((undefined) => tools.write_file({ path: undefined }))(${UP})`,
  `new tools.write_file({ path: ${UP} })`,
  `arguments[0].write_file({ path: ${UP} })`,
  `(function () { return arguments.length })() && eval("to" + "ols").write_file({ path: ${UP} })`,
  `(() => {}).constructor("t", "t.write_file({ path: '../x' })")(tools)`,
  `tools.write_file({ ...{ path: ${UP} } })`,
];
/** Pieces that open or close something in a careless reading. */
const PIECES = [
  'tools.read_file(',
  "tools['a'](",
  ')',
  '"',
  "'",
  '`',
  '${',
  '}',
  '/*',
  '*/',
  '//',
  '/',
  '\\',
  '\n',
  '<!--',
];
PIECES.push('-->', '<a b="', '>{', '</a>', '[', ']', '({ path: ', 'a');

const piece = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
const escaped = (text: string, quote: string): string =>
  text.replace(/[\\'"`]|\$\{/g, '\\$&').replaceAll('\n', quote === '`' ? '\n' : '\\\n');
/** A string, template, comment or regular expression with such pieces, as an expression. */
const quoted = fc.oneof(
  fc.tuple(piece, fc.constantFrom('"', "'", '`')).map(([text, quote]) => quote + escaped(text, quote) + quote),
  piece.map((text) => `/*${text.replaceAll('*/', '')}*/ 0`),
  piece.map((text) => `0 //${text.replaceAll('\n', '')}\n`),
  piece.map((text) => `/a${text.replaceAll('\n', '').replace(/[^\w\s]/g, '\\$&')}/`),
);

const program = fc.letrec<{ code: string }>((tie) => ({
  code: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(...HOSTILE),
    fc.tuple(tie('code'), quoted).map(([code, text]) => `(${text}, ${code})`),
    fc.tuple(tie('code'), quoted, quoted).map(([code, a, b]) => `[${a}, ${code}, ${b}]`),
    fc.tuple(tie('code'), piece).map(([code, text]) => `\`${escaped(text, '`')}\${${code}}${escaped(text, '`')}\``),
    fc.tuple(tie('code'), quoted).map(([code, text]) => `noise(${text}, ${code})`),
    tie('code').map((code) => `tools.read_file(${code})`),
    tie('code').map((code) => `tools.read_file({ path: "a" }, ${code})`),
    tie('code').map((code) => `(await (async () => ${code})())`),
    tie('code').map((code) => `f\`\${${code}}\``),
    tie('code').map((code) => `({ a: ${code} }?.a)`),
    tie('code').map((code) => `(1 / ${code} / 1)`),
  ),
})).code;

/** Whether a run of the program writes outside; undefined if it does not compile. */
async function writesOutside(source: string): Promise<boolean | undefined> {
  let run: Run;
  try {
    run = new AsyncFunction('tools', 'noise', 'f', source);
  } catch {
    return undefined;
  }
  let isWritten = false;
  const write = function (given?: { readonly path?: unknown }): void {
    isWritten ||= given?.path === '../x';
  };
  const tools = { write_file: write, read_file: () => '', a: () => '' };
  await run(
    tools,
    () => '',
    () => '',
  ).catch(() => undefined);
  return isWritten;
}

function isHidden(source: string): boolean {
  const read = programCalls(source);
  if (read === undefined) return true;
  return !read.isOpen && !read.calls.some(({ name, arguments: given }) => name === 'write_file' && isUp(given));
}

const isUp = (given: unknown): boolean => (given as { path?: unknown }).path === '../x';

describe('a call that a program makes', () => {
  it('is never hidden by what surrounds it', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(quoted, { maxLength: 2 }), program, quoted, async (before, code, after) => {
        const source = `${before.map((text) => `${text};\n`).join('')}${code};\n${after}`;
        if ((await writesOutside(source)) !== true) return;
        runs += 1;
        expect(isHidden(source)).toBe(false);
      }),
      { numRuns: 1_500 },
    );
    expect(runs).toBeGreaterThan(500);
  });

  it('is never hidden by pieces of syntax in any order', async () => {
    let runs = 0;
    const part = fc.oneof(fc.constantFrom(...PIECES, ';', ' '), fc.constantFrom(...HOSTILE));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.constantFrom(...HOSTILE), async (parts, code) => {
        const source = `${parts.join('')}\n;${code}\n;${parts.toReversed().join('')}`;
        if ((await writesOutside(source)) !== true) return;
        runs += 1;
        expect(isHidden(source)).toBe(false);
      }),
      { numRuns: 3_000 },
    );
    expect(runs).toBeGreaterThan(100);
  });
});
