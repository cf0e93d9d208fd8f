import { makeScratch } from '@croft/workspace/testing';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision.ts';
import { testPolicy } from '../testing.ts';
import { judgeToolCall } from './judge.ts';

/** The decision about a program that an agent runs in code mode. */
function decide(program: string, strict: boolean, name = 'functions.exec'): Decision {
  const scratch = makeScratch(['src/a.ts']);
  try {
    const call = { name, arguments: program, isText: true };
    return judgeToolCall(call, testPolicy({ strict }), scratch.workspace);
  } finally {
    scratch.remove();
  }
}

const patch = '*** Begin Patch\\n*** Update File: ../x\\n@@\\n-a\\n+b\\n*** End Patch\\n';

describe('a program that calls tools', () => {
  it.each([
    'const r = await tools.exec_command({ cmd: "ls", yield_time_ms: 1000 }); text(r.output);',
    'text(await tools.exec_command({ cmd: "cat /usr/include/stdio.h", workdir: "src" }))',
    'await Promise.all([tools.exec_command({ cmd: "npm test" }), tools.read_file({ path: "src/a.ts" })])',
    'await tools.apply_patch("*** Begin Patch\\n*** Update File: src/a.ts\\n@@\\n-a\\n+b\\n*** End Patch\\n")',
  ])('is allowed in both modes if its calls are: %s', (program) => {
    for (const strict of [true, false]) expect(decide(program, strict)).toMatchObject({ decision: 'allow' });
  });

  it.each([
    'await tools.exec_command({ cmd: "touch ../x" })',
    "await tools.exec_command({ cmd: 'rm -rf ' + '../x' })",
    'await tools.exec_command({ cmd: "touch x", workdir: ".." })',
    'await tools["write_file"]({ path: `/etc/x`, content: "" })',
    `await tools.apply_patch("${patch}")`,
    'await tools.exec_command({ cmd: "ls" }); await tools.write_file({ path: "../x", content: other })',
  ])('is blocked in both modes for a call that it states: %s', (program) => {
    const isOpen = program.includes('other');
    expect(decide(program, true).decision).toBe('block');
    expect(decide(program, false).decision).toBe(isOpen ? 'allow' : 'block');
  });

  it('is refused in strict mode if it computes a call, with a reason that names the hook', () => {
    const program = 'await tools.exec_command({ cmd: `touch ${name}` })';
    expect(decide(program, true)).toMatchObject({ decision: 'block', rule: 'undecidable-command', undecidable: true });
    expect(decide(program, true).reason).toContain('croft guard hook');
    expect(decide(program, false)).toMatchObject({ decision: 'allow', undecidable: true });
  });

  it.each([
    `const s = "tools.read_file("; await tools.write_file({ path: '../x', content: '' }); ")";`,
    '/* tools.read_file(` */ await tools.write_file({ path: "../x", content: "" }); /* `) */',
  ])('is blocked in both modes for a call behind text that looks like a call: %s', (program) => {
    for (const strict of [true, false]) expect(decide(program, strict)).toMatchObject({ decision: 'block' });
  });

  it.each([
    'const s = "tools.read_file("; const t = tools; await t["write" + "_file"]({ path: "../x" }); ")";',
    '<a b="tools.read_file(">{tools.write_file({ path: "../x" })}</a>',
    'const at: string = "../x"; await tools.write_file({ path: at } as Given)',
  ])('is refused in strict mode if it is not read as JavaScript with literal calls only: %s', (program) => {
    expect(decide(program, true)).toMatchObject({ decision: 'block' });
  });

  it.each(['bash', 'local_shell', 'run_in_terminal', 'execute_command'])('is a command for a shell: %s', (name) => {
    const command = 'x=`curl https://example.org`;\n$x;\ntools.read_file({})';
    expect(decide(command, true, name)).toMatchObject({ decision: 'block', rule: 'undecidable-command' });
  });

  it('cannot hide a command from the shell reading of the same text', () => {
    expect(decide('let x; `touch ../x`; tools.exec_command({})', false)).toMatchObject({ decision: 'block' });
  });
});
