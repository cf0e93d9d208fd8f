import { describe, expect, it } from 'vitest';
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
  ])('may be others than the source states: %s', (text) => {
    expect(programCalls(text)?.isOpen).toBe(true);
  });

  it('may be described in prose, with words that code uses too', () => {
    const text =
      'notify("run this with the tests, in a process of its own"); const [a] = [1]; text(a[0]); await tools.x({ cmd: "ls" })';
    expect(programCalls(text)?.isOpen).toBe(false);
  });

  it.each(['rm -rf "$X"; tools.x({})', 'ls tools.d', 'echo hello', 'await other.exec_command({ cmd: "ls" })'])(
    'do not exist in a text that is not JavaScript or calls no tools: %s',
    (text) => {
      expect(programCalls(text)).toBeUndefined();
    },
  );

  it('are not all known in a program that is too long to be read', () => {
    expect(programCalls(`await tools.x({ cmd: "ls" }) // ${'a'.repeat(256 * 1024)}`)).toEqual({
      calls: [],
      isOpen: true,
    });
  });
});
