import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceError } from '@croft/workspace';
import { afterEach, describe, expect, it } from 'vitest';
import { confirmDestructive } from './confirm.ts';
import { answering, type Bench, type Call, checkedCall, makeBench } from './testing.ts';
import type { CallContext } from './tool.ts';
import type { ToolsetName } from './toolset-names.ts';
import { fixedWorkspace } from './workspace-source.ts';

let bench: Bench;
afterEach(() => bench.close());
const setUp = (lines: readonly string[], toolset: ToolsetName = 'full', timeoutMs?: number): Call => {
  bench = makeBench(toolset, lines);
  const tools = confirmDestructive(bench.table.tools, fixedWorkspace(bench.workspace));
  return checkedCall({ tools, ...(timeoutMs && { timeoutMs }) }, [bench.scratch.base]);
};
const host = (path: string) => join(bench.scratch.workspace, path);
const text = (path: string) => readFileSync(host(path), 'utf8');

const DESTRUCTIVE: [string, object, string][] = [
  ['write_file', { path: 'a.txt', content: 'new' }, 'Overwrite a.txt?'],
  ['edit_file', { path: 'a.txt', old_string: 'one', new_string: 'new' }, 'Edit a.txt?'],
  ['delete_path', { path: 'a.txt' }, 'Delete the file a.txt?'],
  ['delete_path', { path: 'd', recursive: true }, 'Delete the directory d?'],
];

describe('with a client that can ask', () => {
  it('runs an allowed call after one question', async () => {
    for (const [name, input, question] of DESTRUCTIVE) {
      const call = setUp(['a.txt = one', 'd/x']);
      const asked: string[] = [];
      expect((await call(name, input, answering(true, asked))).ok, name).toBe(true);
      expect(asked).toEqual([question]);
      expect([existsSync(host('a.txt')) && text('a.txt'), existsSync(host('d'))], name).toEqual(
        name !== 'delete_path' ? ['new', true] : 'recursive' in input ? ['one', false] : [false, true],
      );
      bench.close();
    }
    setUp([]);
  });

  it('changes nothing when the person declines', async () => {
    const call = setUp(['a.txt = one', 'd/x']);
    for (const [name, input] of DESTRUCTIVE) {
      expect((await call(name, input, answering(false))).data.error, name).toBe('The person declined this change');
    }
    expect([text('a.txt'), existsSync(host('d/x'))]).toEqual(['one', true]);
  });

  it('does not ask if nothing can be lost', async () => {
    const call = setUp(['a.txt = one', 'd/x']);
    const asked: string[] = [];
    const context = answering(false, asked);
    const calls: [string, object][] = [
      ['write_file', { path: 'new.txt', content: 'x' }],
      ['append_file', { path: 'a.txt', content: '!' }],
      ['create_dir', { path: 'e' }],
      ['copy_path', { source: 'a.txt', destination: 'b.txt' }],
      ['move_path', { source: 'b.txt', destination: 'c.txt' }],
      ['edit_file', { path: 'a.txt', old_string: 'one', new_string: 'x', dry_run: true }],
      ['read_file', { path: 'a.txt' }],
    ];
    for (const [name, input] of calls) expect((await call(name, input, context)).ok, name).toBe(true);
    for (const path of ['no.txt', '../outside/secret.txt', '.env'])
      expect((await call('delete_path', { path }, context)).ok).toBe(false);
    expect(asked).toEqual([]);
  });

  it('asks before deleting a link too, with any target', async () => {
    const call = setUp(['out => $OUT/secret.txt', 'gone => nowhere', 'd/in => ../a.txt', 'a.txt']);
    for (const path of ['out', 'gone', 'd/in']) {
      const asked: string[] = [];
      expect((await call('delete_path', { path }, answering(false, asked))).data.error, path).toBe(
        'The person declined this change',
      );
      expect(asked).toHaveLength(1);
      expect((await call('delete_path', { path }, answering(true))).ok, path).toBe(true);
    }
  });

  it('asks before deleting a link in every spelling, and with a hidden name', async () => {
    bench = makeBench('full', ['out => $OUT', 'hidden => $OUT/secret.txt', 'l => hidden'], {
      workspace: { ignoreNames: ['hidden'] },
    });
    const tools = confirmDestructive(bench.table.tools, fixedWorkspace(bench.workspace));
    const call = checkedCall({ tools }, [bench.scratch.base]);
    for (const path of ['out/.', './out', 'out/', 'hidden', 'l']) {
      const asked: string[] = [];
      await call('delete_path', { path }, answering(false, asked));
      expect(asked, path).toEqual([`Delete the link ${path}?`]);
    }
    expect(lstatSync(host('out')).isSymbolicLink() && lstatSync(host('hidden')).isSymbolicLink()).toBe(true);
  });

  it('does nothing if it cannot read the current state', async () => {
    const call = setUp(['out => $OUT/secret.txt', 'f']);
    const asked: string[] = [];
    for (const path of ['out', 'f/x', '../outside/secret.txt', '.env'])
      for (const [name, input] of [
        ['write_file', { path, content: 'x' }],
        ['edit_file', { path, old_string: 'a', new_string: 'b' }],
      ] as const)
        expect((await call(name, input, answering(true, asked))).ok, path).toBe(false);
    // A call whose state becomes readable later does not run without a question either.
    const { workspace } = bench;
    const info = () => {
      throw new WorkspaceError('io', 'Cannot use path');
    };
    const tools = confirmDestructive(bench.table.tools, fixedWorkspace({ ...workspace, info }));
    const blind = checkedCall({ tools }, [bench.scratch.base]);
    for (const [name, input] of [
      ['write_file', { path: 'f', content: 'x' }],
      ['delete_path', { path: 'f' }],
    ] as const)
      expect((await blind(name, input, answering(true, asked))).data.error).toBe('Cannot use path');
    expect([text('f'), asked]).toEqual(['f', []]);
  });

  it('does nothing when the file changed while the person was asked', async () => {
    const call = setUp(['a.txt = one']);
    const context: CallContext = {
      confirm: async () => {
        writeFileSync(host('a.txt'), 'written by the person meanwhile');
        return true;
      },
    };
    for (const [name, input] of DESTRUCTIVE.slice(0, 3)) {
      writeFileSync(host('a.txt'), 'one');
      expect((await call(name, input, context)).data.error, name).toMatch(
        /^The file changed while the person was asked/,
      );
      expect(text('a.txt')).toBe('written by the person meanwhile');
    }
  });

  it('does nothing when the answer comes after the deadline', async () => {
    const call = setUp(['a.txt = one'], 'full', 30);
    let answered: Promise<void> = Promise.resolve();
    const late: CallContext = {
      confirm: () =>
        new Promise((resolve) => {
          answered = new Promise((done) => setTimeout(() => (resolve(true), setTimeout(done, 20)), 80));
        }),
    };
    expect((await call('delete_path', { path: 'a.txt' }, late)).data.error).toMatch(/^The call took longer than/);
    await answered;
    expect(text('a.txt')).toBe('one');
  });
});

describe('with a client that cannot', () => {
  it('the first call returns a preview with a token and changes nothing; the second call, with the token, acts', async () => {
    for (const context of [undefined, answering('asked')]) {
      const call = setUp(['a.txt = one']);
      for (const [name, input, question] of DESTRUCTIVE.slice(0, 3)) {
        if (!existsSync(host('a.txt'))) break;
        writeFileSync(host('a.txt'), 'one');
        const preview = (await call(name, input, context)).data;
        expect(preview).toEqual({
          status: 'confirmation_required',
          path: 'a.txt',
          version: (await call('file_info', { path: 'a.txt' })).data.version,
          question,
          confirm_token: expect.stringMatching(/^[\w-]{32}$/),
          next: expect.stringContaining('Nothing was changed'),
        });
        expect(text('a.txt')).toBe('one');
        expect((await call(name, { ...input, confirm_token: preview.confirm_token }, context)).ok, name).toBe(true);
        expect(existsSync(host('a.txt')) && text('a.txt') === 'one').toBe(false);
      }
      if (!context) bench.close();
    }
  });

  it('a token is bound to tool, path, arguments and version', async () => {
    const call = setUp(['a.txt = one', 'b.txt = one']);
    const input = { path: 'a.txt', content: 'new' };
    const { confirm_token } = (await call('write_file', input)).data;
    const others: [string, object][] = [
      ['write_file', { ...input, content: 'other' }],
      ['write_file', { ...input, path: 'b.txt' }],
      ['write_file', { ...input, path: './a.txt' }],
      ['delete_path', { path: 'a.txt' }],
      ['edit_file', { path: 'a.txt', old_string: 'one', new_string: 'new' }],
    ];
    for (const [name, other] of others)
      expect((await call(name, { ...other, confirm_token })).data.error, JSON.stringify(other)).toMatch(
        /^The token does not fit/,
      );
    for (const made_up of ['', 'x', 'A'.repeat(32), `${confirm_token}x`])
      expect((await call('write_file', { ...input, confirm_token: made_up })).data.error).toMatch(
        /^The token does not fit/,
      );
    writeFileSync(host('a.txt'), 'two');
    expect((await call('write_file', { ...input, confirm_token })).data.error).toMatch(/^The token does not fit/);
    expect([text('a.txt'), text('b.txt')]).toEqual(['two', 'one']);
  });

  it('a token for a directory is bound to its whole content', async () => {
    const acts: (() => void)[] = [
      () => writeFileSync(host('d/sub/precious'), 'mine'),
      () => writeFileSync(host('d/sub/x'), 'longer than before'),
      () => utimesSync(host('d/sub/x'), 1, 1),
      () => rmSync(host('d/sub/x')),
      () => symlinkSync('x', host('d/sub/l')),
    ];
    for (const act of acts) {
      const call = setUp(['d/sub/x']);
      const input = { path: 'd', recursive: true };
      const { confirm_token } = (await call('delete_path', input)).data;
      act();
      expect((await call('delete_path', { ...input, confirm_token })).data.error).toMatch(/^The token does not fit/);
      expect(existsSync(host('d/sub'))).toBe(true);
      const again = (await call('delete_path', input)).data.confirm_token;
      expect((await call('delete_path', { ...input, confirm_token: again })).ok).toBe(true);
      bench.close();
    }
    setUp([]);
  });

  it('a token is invalid after the change that it allowed', async () => {
    const call = setUp(['a.txt = one one']);
    const write = { path: 'a.txt', content: 'one one' };
    const { confirm_token } = (await call('write_file', write)).data;
    expect((await call('write_file', { ...write, confirm_token })).ok).toBe(true);
    expect((await call('write_file', { ...write, confirm_token })).data.error).toMatch(/^The token does not fit/);
    const gone = (await call('delete_path', { path: 'a.txt' })).data.confirm_token;
    expect((await call('delete_path', { path: 'a.txt', confirm_token: gone })).ok).toBe(true);
    writeFileSync(host('a.txt'), 'one one');
    utimesSync(host('a.txt'), 1, 1);
    expect((await call('delete_path', { path: 'a.txt', confirm_token: gone })).data.error).toMatch(
      /^The token does not fit/,
    );
    symlinkSync('a.txt', host('l'));
  });
});

describe('the other toolsets', () => {
  it('basic and files ask in the same way, and keep their own texts', async () => {
    let call = setUp(['a.txt = one'], 'basic');
    expect((await call('write_file', {})).text).toBe('path is required');
    expect((await call('write_file', { path: 'a.txt', content: 'x' }, answering(false))).text).toBe(
      'The person declined this change',
    );
    const { confirm_token } = (await call('write_file', { path: 'a.txt', content: 'x' })).data;
    expect((await call('write_file', { path: 'a.txt', content: 'x', confirm_token })).text).toBe('File written: a.txt');
    bench.close();
    call = setUp(['a.txt = one'], 'files');
    expect(
      (await call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'x', colour: 1 })).data.error,
    ).toContain('Unrecognized key: "colour"');
    expect((await call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'x' })).data.status).toBe(
      'confirmation_required',
    );
  });
});
