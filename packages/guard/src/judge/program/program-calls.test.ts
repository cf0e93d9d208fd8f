import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../../tests/support/yardstick.ts';
import { programCalls } from './program-calls.ts';

describe('the calls of a program', () => {
  it('are those that the source states, in any of the usual forms', () => {
    const text = `// @exec: {"yield_time_ms": 10000}
const [list, found] = await Promise.all([
  tools.exec_command({ cmd: "ls", workdir: 'src' }),
  tools["mcp__files__read"]({ path: \`a.txt\` }),
]);
await tools.apply_patch("*** Begin Patch\\n*** End Patch\\n");
for (const line of list.output.split("\\n")) text(line);
text(tools.status());`;
    expect(programCalls(text)).toEqual({
      calls: [
        { name: 'exec_command', arguments: { cmd: 'ls', workdir: 'src' } },
        { name: 'mcp__files__read', arguments: { path: 'a.txt' } },
        { name: 'apply_patch', arguments: '*** Begin Patch\n*** End Patch\n', isText: true },
        { name: 'status', arguments: {} },
      ],
      isOpen: false,
    });
  });

  it.each([
    'await tools.exec_command({ cmd })',
    'await tools.exec_command({ cmd: "touch " + path })',
    'await tools.exec_command({ cmd: `touch ${path}` })',
    'await tools.exec_command({ cmd: "ls", ...more })',
    'await tools.exec_command({ cmd: "ls" }, extra)',
    'await tools[name]({ cmd: "ls" })',
    'await tools?.exec_command({ cmd: "ls" })',
    'const { exec_command } = tools; await exec_command({ cmd: x })',
    'const t = tools.exec_command; await t({ cmd: x })',
    'await tools.exec_command({ cmd: "ls" }); await globalThis["to" + "ols"].exec_command({ cmd: x })',
    'await tools.exec_command({ cmd: "ls" }); await this["to" + "ols"].exec_command({ cmd: x })',
    'await tools.exec_command({ cmd: "ls" }); await eval(x)',
    'await tools.exec_command({ cmd: "ls" }); (() => {})[name]("return x")()',
    'const { [name]: make } = () => {}; make(x)(); await tools.exec_command({ cmd: "ls" })',
    'Object.prototype.toJSON = () => x; await tools.exec_command({ cmd: "ls" })',
    'await tools.exec_command({ cmd: "ls" }); await t\\u006fols.exec_command({ cmd: x })',
    'await tools.exec_command({ cmd: "ls" }); await import(x)',
    'import fs from "node:fs"; await tools.exec_command({ cmd: "ls" })',
    'await tools.exec_command({ cmd: "ls" }); arguments[0].exec_command({ cmd: x })',
    'await tools.exec_command({ cmd: "ls" }); run.caller.exec_command({ cmd: x })',
    'const { constructor: make } = () => {}; make(x)(); await tools.exec_command({ cmd: "ls" })',
    'const { "constructor": make } = () => {}; make(x)(); await tools.exec_command({ cmd: "ls" })',
    'JSON.stringify = () => x; await tools.exec_command({ cmd: "ls" })',
    '[JSON.stringify] = [() => x]; await tools.exec_command({ cmd: "ls" })',
    'Object.assign(JSON, { stringify: () => x }); await tools.exec_command({ cmd: "ls" })',
    'class A extends give { stringify = () => x } new A(); await tools.exec_command({ cmd: "ls" })',
    '((undefined) => tools.exec_command({ cmd: undefined }))(x)',
    'await tools.exec_command({ cmd: "ls" }); setTimeout(x)',
    'class Promise { constructor(f) { f(x) } } new Promise((r) => setTimeout(r, 1)); await tools.exec_command({ cmd: "ls" })',
    'await tools.exec_command({ cmd: "ls", __proto__: { workdir: ".." } })',
    'tools.exec_command`ls`',
    'new tools.exec_command({ cmd: "ls" })',
    '0 <!-- tools.exec_command({ cmd: "rm" })\ntools.exec_command({ cmd: "ls" })',
    'try { await /a; } catch { tools.exec_command({ cmd: "rm" }) } /.test(1) } finally { } tools.exec_command({ cmd: "ls" })',
    'if (0) f() = 1; tools.exec_command({ cmd: "ls" })',
    'await globalThis["to" + "ols"].exec_command({ cmd: "ls" })',
    'const s = "tools.read_file("; const t = tools, n = "write" + "_file"; await t[n]({ path: x }); ")"',
  ])('may be others than the source states: %s', (text) => {
    expect(programCalls(text)?.isOpen).toBe(true);
  });

  it('are those of both readings if a module and a script read the text differently', () => {
    const [list, remove] = ['ls', 'rm'].map((cmd) => ({ name: 'x', arguments: { cmd } }));
    // A module compares 0 with what follows; in a script the rest of the line is a comment.
    expect(programCalls('0 <!--a + tools.x({ cmd: "rm" })\ntools.x({ cmd: "ls" })')).toEqual({
      calls: [remove, list, list],
      isOpen: true,
    });
    expect(programCalls('0 <!--a[b]\ntools.x({ cmd: "ls" })')).toEqual({ calls: [list], isOpen: true });
    expect(programCalls('0 <!--a + other[b]()')).toEqual({ calls: [], isOpen: true });
    expect(programCalls('<!-- only a script\ntools.x({ cmd: "ls" })')).toEqual({ calls: [list], isOpen: true });
    expect(programCalls('await import("x"); tools.x({ cmd: "ls" })')).toEqual({ calls: [list], isOpen: true });
    expect(programCalls('export const a = 1; tools.x({ cmd: "ls" })')).toEqual({ calls: [list], isOpen: true });
  });

  it.each([
    'const s = "tools.read_file("; await tools.x({ cmd: "ls" }); ")";',
    "const s = 'tools.read_file(`'; await tools.x({ cmd: 'ls' }); '`)';",
    '/* tools.read_file(` */ await tools.x({ cmd: "ls" }); /* `) */',
    '// tools.read_file(\nawait tools.x({ cmd: "ls" });',
    "/tools.read_file\\('/; await tools.x({ cmd: 'ls' }); /'\\)/",
    'text(`tools.read_file("${(await tools.x({ cmd: `ls` })).output}")`)',
    'await (t\u006fols)["x"]({ c\u006dd: "l\\\ns" });',
    'await new Promise((done) => setTimeout(done, 100)); await tools.x({ cmd: "ls" })',
    'setTimeout(() => tools.x({ cmd: "ls" }), 100)',
    'const { a } = { module: 1, self: 2 }.process; await tools.x({ cmd: "ls" })',
  ])('are the ones in code, not those that strings, comments and regular expressions name: %s', (text) => {
    expect(programCalls(text)).toEqual({ calls: [{ name: 'x', arguments: { cmd: 'ls' } }], isOpen: false });
  });

  it('may be described in prose, with words that code uses too', () => {
    const text =
      'notify("run this with the tests, in a process of its own"); const [a] = [1]; text(a[0]); await tools.x({ cmd: "ls" })';
    expect(programCalls(text)?.isOpen).toBe(false);
  });

  it.each([
    'rm -rf "$X"; tools.x({})',
    'ls tools.d',
    'tools.d',
    'ls -la',
    'echo [a]',
    'echo hello',
    'await other.exec_command({ cmd: "ls" })',
  ])('do not exist in a text that is not JavaScript or calls no tools: %s', (text) => {
    expect(programCalls(text)).toBeUndefined();
  });

  it('are not all known in a program that is too long to be read', () => {
    const filled = (start: string, length: number) => start + 'a'.repeat(length - start.length);
    expect(programCalls(filled('tools.x() //', 256 * 1024))).toEqual({
      calls: [{ name: 'x', arguments: {} }],
      isOpen: false,
    });
    expect(programCalls(filled('tools.x() //', 256 * 1024 + 1))).toEqual({ calls: [], isOpen: true });
    expect(programCalls(filled('atools.x() //', 256 * 1024 + 1))).toBeUndefined();
  });

  it('are not all known in a program that is nested too deep to be read', () => {
    expect(programCalls(`${'('.repeat(60_000)}tools.x()${')'.repeat(60_000)}`)?.isOpen).toBe(true);
  });

  it('are read in linear time in a program with many names', async () => {
    const declared = (count: number) => Array.from({ length: count }, (_, index) => `let a${index};`).join('');
    const text = declared(22_000);
    // 28, and 175 with the parser's own search for a second declaration.
    await expect.poll(() => costOf(() => programCalls(text))).toBeLessThan(80);
  });
});
