import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../packages/guard/src/decision.ts';
import { createJudge, judgeToolCall } from '../../packages/guard/src/judge/judge.ts';
import { openPlace } from '../../packages/guard/src/judge/place.ts';
import type { Policy } from '../../packages/guard/src/policy/policy.ts';
import { MAX_ARGUMENT_CHARS, MAX_ARGUMENT_DEPTH } from '../../packages/guard/src/judge/read-arguments.ts';
import { testPolicy } from '../../packages/guard/src/testing.ts';
import { inProject } from './judging.ts';

const OUT = '/etc/x';
function judge(name: string, args: unknown, overrides: Partial<Policy> = {}, more = {}): Decision {
  const decided: Decision[] = [];
  inProject(['src/a'], (judgeIn) => decided.push(judgeIn(name, args, overrides, more)));
  return decided[0] as Decision;
}
const ruleOf = (name: string, args: unknown, overrides: Partial<Policy> = {}, more = {}) =>
  judge(name, args, overrides, more).rule;
const decisionOf = (name: string, args: unknown, overrides: Partial<Policy> = {}, more = {}) =>
  judge(name, args, overrides, more).decision;

describe('arguments', () => {
  it('that are cut off block', () => {
    expect(ruleOf('write_file', '{"path":"a","content":"x')).toBe('invalid-arguments');
    expect(ruleOf('read_file', '{"path":')).toBe('invalid-arguments');
  });

  it('with a key twice block', () => {
    expect(ruleOf('write_file', '{"path":"a","path":"/etc/x","path":"a"}')).toBe('ambiguous-arguments');
  });

  it('with a key twice in another spelling block', () => {
    expect(ruleOf('write_file', '{"path":"/etc/x","p\\u0061th":"a"}')).toBe('ambiguous-arguments');
  });

  it('with __proto__ in their text block', () => {
    expect(ruleOf('write_file', '{"path":"a","__proto__":{}}')).toBe('ambiguous-arguments');
  });

  it('with __proto__ in an object block', () => {
    expect(ruleOf('write_file', JSON.parse('{"path":"a","__proto__":{}}'))).toBe('ambiguous-arguments');
  });

  const nested = `${'['.repeat(MAX_ARGUMENT_DEPTH + 1)}${']'.repeat(MAX_ARGUMENT_DEPTH + 1)}`;
  it('nested too deep as text block', () => {
    expect(ruleOf('frobnicate', `{"a":${nested}}`)).toBe('too-large');
  });

  it('nested too deep as an object block', () => {
    expect(ruleOf('frobnicate', { a: JSON.parse(nested) as unknown })).toBe('too-large');
  });

  it('too long as text block', () => {
    expect(ruleOf('frobnicate', JSON.stringify({ a: 'x'.repeat(MAX_ARGUMENT_CHARS) }))).toBe('too-large');
  });

  it('too long as an object block', () => {
    expect(ruleOf('frobnicate', { a: 'x'.repeat(MAX_ARGUMENT_CHARS + 1) })).toBe('too-large');
  });

  it('too long as a tool’s text block', () => {
    expect(ruleOf('frobnicate', 'x'.repeat(MAX_ARGUMENT_CHARS + 1), {}, { isText: true })).toBe('too-large');
  });

  it('with too many paths block', () => {
    expect(ruleOf('write_files', { paths: Array.from({ length: 5_000 }, (_, i) => `src/${i}`) })).toBe('too-large');
  });
});

describe('every path of a call', () => {
  it('counts, and not only the first', () => {
    expect(ruleOf('move_file', { source: 'a', destination: OUT })).toBe('outside-path');
    expect(ruleOf('write_files', { paths: ['a', 'b', OUT] })).toBe('outside-path');
  });

  it('counts at any depth', () => {
    expect(ruleOf('multi_edit', { path: 'a', edits: [{ more: { file_path: OUT } }] })).toBe('outside-path');
  });

  it('counts in a key', () => {
    expect(ruleOf('write_files', { files: { [OUT]: 'text\n' } })).toBe('outside-path');
  });

  it('counts in a key that looks like one, at any depth', () => {
    expect(ruleOf('write_file', { path: 'a', '../x': true })).toBe('outside-path');
  });

  it('counts next to a file name in a tool that renames', () => {
    expect(ruleOf('rename_files', { files: { 'a.ts': OUT } })).toBe('outside-path');
  });

  it('counts in JSON that is text', () => {
    expect(ruleOf('write_file', { edits: `[{"path":"${OUT}"}]`, path: 'a', content: '' })).toBe('outside-path');
  });

  it('counts under an unknown name', () => {
    expect(ruleOf('write_file', { path: 'a', wohin: OUT, content: '' })).toBe('outside-path');
  });

  it('counts under a name from the configuration', () => {
    const overrides = { pathParameterNames: ['code'] };
    expect(ruleOf('write_file', { path: 'a', code: OUT }, overrides)).toBe('outside-path');
  });

  it('counts under a name that usually holds a path', () => {
    expect(ruleOf('write_file', { path: 'a', target: OUT })).toBe('outside-path');
  });

  it('counts in the URL of a file', () => {
    expect(ruleOf('write_file', { path: 'a', url: 'file:///etc/x' })).toBe('outside-path');
  });

  it('counts joined with a directory in the same call', () => {
    expect(ruleOf('write_file', { path: '../../x', cwd: 'a/b', content: '' })).toBe('outside-path');
    expect(ruleOf('write_file', { path: 'x', cwd: '/etc', content: '' })).toBe('outside-path');
  });

  it('counts joined, if only the directory is inside', () => {
    inProject(['d/', 'd/up => $OUT'], (judgeIn) => {
      expect(judgeIn('write_file', { path: 'up/x', cwd: 'd', content: '' }).rule).toBe('outside-path');
    });
  });

  it('counts in a text argument if no other argument has a path', () => {
    expect(ruleOf('write_file', { content: 'x', text: OUT })).toBe('outside-path');
  });

  it('is text', () => {
    expect(ruleOf('write_file', { path: 7, content: '' })).toBe('invalid-path');
  });

  it('is not searched for in content', () => {
    expect(ruleOf('write_file', { path: 'a', content: `see ${OUT}`, old_string: OUT })).toBe('allowed');
  });
});

describe('a tool is recognised', () => {
  it('by its name in any case', () => {
    expect(decisionOf('ｗrite_ﬁle', { path: OUT })).toBe('block');
  });

  it('by its name below any prefix', () => {
    for (const name of ['mcp__fs__write_file', 'functions.Write', 'default_api:edit', 'fs/WRITE-FILE'])
      expect(decisionOf(name, { path: OUT }), name).toBe('block');
  });

  it('by the end of its name', () => {
    expect(decisionOf('srv_str_replace', { path: OUT })).toBe('block');
  });

  it('by a word for a shell', () => {
    expect(decisionOf('my_bash_thing', { text: 'echo x > /etc/x' })).toBe('block');
  });

  it('by a word for writing beside one for files', () => {
    expect(decisionOf('stamp_and_write_some_file', { path: OUT })).toBe('block');
  });

  it('by the operator’s patterns', () => {
    expect(decisionOf('speichern', { wo: OUT }, { customToolPatterns: [/^speichern$/i] })).toBe('block');
  });

  it('by the shape of its arguments: a path and content', () => {
    expect(decisionOf('get_it', { path: OUT, content: 'x' })).toBe('block');
  });

  it('by the shape of its arguments: a command', () => {
    expect(decisionOf('get_it', { command: 'echo x > /etc/x' })).toBe('block');
  });

  it('by the shape of its arguments: a patch', () => {
    expect(decisionOf('get_it', { patch: '*** Begin Patch\n*** Add File: /etc/x\n+a\n*** End Patch' })).toBe('block');
  });

  it('by the operation of an editor', () => {
    expect(decisionOf('get_it', { path: OUT, command: 'create' })).toBe('block');
    expect(decisionOf('str_replace_editor', { path: OUT, command: 'view' })).toBe('allow');
  });

  it('by the output path of a reading tool', () => {
    expect(decisionOf('get_it', { path: 'a', output_path: OUT })).toBe('block');
  });
});

describe('a call within a call', () => {
  it('is judged on its own', () => {
    expect(decisionOf('call_tool', { name: 'write_file', arguments: { path: OUT } })).toBe('block');
  });

  it('is judged with every other, and the worst counts', () => {
    const inner = (path: string) => ({ name: 'write_file', arguments: { path, content: '' } });
    expect(decisionOf('batch', { calls: [inner('a'), inner('b'), inner(OUT)] })).toBe('block');
  });

  it('is judged where its arguments are text', () => {
    expect(decisionOf('call_tool', { name: 'write_file', arguments: `{"path":"${OUT}"}` })).toBe('block');
  });

  it('is judged by each of its names', () => {
    expect(decisionOf('call_tool', { name: 'read', tool: 'write_file', arguments: { path: OUT } })).toBe('block');
  });

  it('is blocked below too many others', () => {
    let args: object = { path: 'a' };
    for (let depth = 0; depth < 12; depth++) args = { name: 'call_tool', arguments: args };
    expect(ruleOf('call_tool', args)).toBe('too-large');
  });

  it('is blocked beside too many others', () => {
    const calls = Array.from({ length: 1_200 }, () => ({ name: 'read_file', arguments: { path: 'a' } }));
    expect(ruleOf('batch', { calls })).toBe('too-large');
  });

  it('is blocked although another part is undecidable', () => {
    const calls = [
      { name: 'frobnicate', arguments: { path: OUT } },
      { name: 'write_file', arguments: { path: OUT } },
    ];
    expect(ruleOf('batch', { calls })).toBe('outside-path');
  });
});

describe('text that is a tool’s input', () => {
  const text = (name: string, input: string) => judge(name, input, {}, { isText: true });

  it('is read as a patch', () => {
    expect(text('anything', '*** Begin Patch\n*** Add File: /etc/x\n+a\n*** End Patch').decision).toBe('block');
  });

  it('is read as a command', () => {
    expect(text('bash', 'echo x > /etc/x').decision).toBe('block');
  });

  it('is read as a path', () => {
    expect(text('write_file', '/etc/x').decision).toBe('block');
  });

  it('is read as JSON', () => {
    expect(text('write_file', '{"path":"/etc/x","content":""}').decision).toBe('block');
  });
});

describe('an undecidable call', () => {
  const cases = {
    'no-path-found': ['write_file', { content: 'x' }],
    'unknown-tool': ['frobnicate', { path: OUT }],
    'undecidable-command': ['Bash', { command: 'eval "$X"' }],
  } as const;
  it.each(Object.entries(cases))('is blocked in strict mode: %s', (rule, [name, args]) => {
    expect(judge(name, args, { strict: true })).toMatchObject({ decision: 'block', rule, undecidable: true });
  });

  it('passes in default mode, in all three cases, and is marked as undecidable', () => {
    for (const [rule, [name, args]] of Object.entries(cases))
      expect(judge(name, args), rule).toMatchObject({ decision: 'allow', rule, undecidable: true });
  });

  it('is one of these three: all other rules block in both modes', () => {
    for (const strict of [false, true]) {
      expect(ruleOf('write_file', { path: OUT }, { strict })).toBe('outside-path');
      expect(decisionOf('write_file', { path: OUT }, { strict })).toBe('block');
      expect(decisionOf('write_file', { path: 'a/$HOME/x' }, { strict })).toBe('block');
      expect(decisionOf('write_file', '{', { strict })).toBe('block');
    }
  });

  it('is a program given as text', () => {
    expect(ruleOf('python', { code: 'x' }, { strict: true })).toBe('undecidable-command');
  });

  it('is a patch that names no file', () => {
    expect(ruleOf('apply_patch', { patch: 'hello' }, { strict: true })).toBe('no-path-found');
  });

  it('is a tool for patches without one', () => {
    expect(ruleOf('apply_patch', { n: 1 }, { strict: true })).toBe('no-path-found');
  });

  it('is a command whose environment changes what it does', () => {
    expect(ruleOf('Bash', { command: 'ls', env: { LD_PRELOAD: 'a.so' } }, { strict: true })).toBe(
      'undecidable-command',
    );
  });
});

describe('a judge that cannot judge', () => {
  it('blocks when it fails', () => {
    inProject([], (_, { workspace }) => {
      const policy = testPolicy();
      const place = openPlace(policy, workspace);
      const locate = () => {
        throw new Error('no');
      };
      const decision = createJudge(policy, { ...place, locate }).judge({ name: 'Write', arguments: { path: 'a' } });
      place.close();
      expect(decision).toMatchObject({ decision: 'block', rule: 'failure' });
    });
  });

  it('blocks when it is stopped', () => {
    expect(decisionOf('write_file', '{')).toBe('block');
  });

  it('blocks if there is no root', () => {
    const call = { name: 'read_file', arguments: { path: 'x' } };
    expect(judgeToolCall(call, testPolicy(), undefined)).toMatchObject({ decision: 'block', rule: 'no-project-root' });
  });

  it('blocks if the root was deleted', () => {
    inProject([], (_, { base }) => {
      const call = { name: 'read_file', arguments: {} };
      expect(judgeToolCall(call, testPolicy(), join(base, 'gone'))).toMatchObject({
        decision: 'block',
        rule: 'no-project-root',
      });
    });
  });
});

describe('a tool that is excluded', () => {
  it('passes, but a tool with a similar name does not', () => {
    const overrides = { excludedTools: [/^safe_/i] };
    expect(decisionOf('safe_write_file', { path: OUT }, overrides)).toBe('allow');
    expect(decisionOf('unsafe_write_file', { path: OUT }, overrides)).toBe('block');
  });
});

describe('the headers of a patch', () => {
  const of = (...lines: string[]) => ruleOf('apply_patch', { patch: lines.join('\n') });
  const hunk = ['@@ -1 +1 @@', '-a', '+b'];

  it('of Codex count', () => {
    expect(of('*** Begin Patch', '*** Update File: a', '@@', '-a', '+b', '*** Delete File: /etc/x')).toBe(
      'outside-path',
    );
  });

  it('of Codex count padded with blanks', () => {
    expect(of('*** Begin Patch', '  *** Update File: /etc/x  ', '@@', '-a', '+b')).toBe('outside-path');
  });

  it('of Codex that move count', () => {
    expect(of('*** Begin Patch', '*** Update File: a', '*** Move to: /etc/x', '@@', '-a', '+b')).toBe('outside-path');
  });

  it('of unified diffs count', () => {
    expect(of('--- a/x', '+++ /etc/x', ...hunk)).toBe('outside-path');
  });

  it('of unified diffs count without their prefix', () => {
    expect(of('--- a/../x', '+++ b/../x', ...hunk)).toBe('outside-path');
  });

  it('of unified diffs count if there is only one', () => {
    expect(of('+++ /etc/x', ...hunk)).toBe('outside-path');
  });

  it('of unified diffs count in quotes', () => {
    expect(of('--- "a/x"', '+++ "b/\\056\\056/x"', ...hunk)).toBe('outside-path');
  });

  it('of unified diffs count after a hunk with a wrong length', () => {
    expect(of('--- a', '+++ a', '@@ -1,99 +1,99 @@', '-a', '--- b', '+++ /etc/x', ...hunk)).toBe('outside-path');
  });

  it('of context diffs count', () => {
    expect(of('*** a', '--- /etc/x', '***************', '*** 1 ****', '! a', '--- 1 ----', '! b')).toBe('outside-path');
  });

  it('of git count', () => {
    expect(of('diff --git a/x /etc/x', 'new file mode 100644')).toBe('outside-path');
  });

  it('of git that rename count', () => {
    expect(of('diff --git a/x b/y', 'rename from x', 'rename to ../y')).toBe('outside-path');
  });

  it('that begin with Index count', () => {
    expect(of('--- a', '+++ a', ...hunk, 'Index: /etc/x')).toBe('outside-path');
  });

  it('of binary files count', () => {
    expect(of('--- a', '+++ a', ...hunk, 'Binary files a and /etc/x differ')).toBe('outside-path');
  });

  it('above a search and replace block count', () => {
    expect(of('/etc/x', '<<<<<<< SEARCH', 'a', '=======', 'b', '>>>>>>> REPLACE')).toBe('outside-path');
  });

  it('that make a link cannot be resolved', () => {
    expect(of('diff --git a/l b/l', 'new file mode 120000', '--- /dev/null', '+++ b/l', '@@ -0,0 +1 @@', '+x')).toBe(
      'unresolvable-path',
    );
  });

  it('are not searched for in added lines', () => {
    expect(of('*** Begin Patch', '*** Add File: a', '+*** Update File: /etc/x', '*** End Patch')).toBe('allowed');
  });

  it('are not searched for in the lines of a hunk', () => {
    expect(of('--- a', '+++ a', '@@ -1,2 +1,2 @@', '--- /etc/x', '+++ /etc/x', ' c')).toBe('allowed');
  });

  it('are not searched for in a search and replace block', () => {
    expect(of('a', '<<<<<<< SEARCH', '*** Update File: /etc/x', '=======', 'b', '>>>>>>> REPLACE')).toBe('allowed');
  });
});
