import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { callTool } from './call-tool.ts';
import { confirmDestructive } from './confirm.ts';
import { answering, type Bench, type Call, checkedCall, makeBench } from './testing.ts';
import type { CallContext } from './tool.ts';
import { fixedWorkspace } from './workspace-source.ts';

let bench: Bench;
let trashDir: string;
afterEach(() => bench.close());

/** The trash keeps 100 bytes; `big.txt` and `d` are larger. */
function setUp(): Call {
  trashDir = testDir();
  const big = 'b'.repeat(101);
  bench = makeBench('full', [`big.txt = ${big}`, `d/big.txt = ${big}`, 'small.txt = s'], {
    workspace: { trashDir, trashLimits: { maxBytes: 100 } },
  });
  return bench.call;
}

const host = (path: string) => join(bench.scratch.workspace, path);
const CALLS: [string, Record<string, unknown>, string][] = [
  ['delete_path', { path: 'big.txt' }, 'Delete the file big.txt?'],
  ['delete_path', { path: 'd', recursive: true }, 'Delete the directory d?'],
  ['write_file', { path: 'big.txt', content: 'new' }, 'Overwrite big.txt?'],
];

describe('a call that would lose what the trash cannot keep', () => {
  it.each(CALLS)('is refused with a hint: %s %j', async (name, input) => {
    const call = setUp();
    const { ok, data } = await call(name, input, answering(true));
    expect(ok).toBe(false);
    expect(data.error).toMatch(
      / could not be restored afterwards: 101 bytes are more than the trash can keep \(100\)\./,
    );
    expect(data.hint).toBe('Call again with permanent: true to go on without undo; the person is asked.');
    expect(readFileSync(host('big.txt'), 'utf8')).toHaveLength(101);
    expect(existsSync(host('d/big.txt'))).toBe(true);
  });

  it.each(CALLS)('runs with permanent when the person agrees: %s %j', async (name, input, question) => {
    const call = setUp();
    const asked: string[] = [];
    const { ok, data } = await call(name, { ...input, permanent: true }, answering(true, asked));
    expect([ok, data.undoable ?? false]).toEqual([true, false]);
    expect(asked).toEqual([expect.stringContaining(`${question} It has 0.0 MiB and cannot be restored afterwards`)]);
  });

  it.each(CALLS)('changes nothing when the person declines or cannot be asked: %s %j', async (name, input) => {
    const call = setUp();
    const declined = await call(name, { ...input, permanent: true }, answering(false));
    expect(declined.data.error).toBe('The person declined this change');
    const silent = await call(name, { ...input, permanent: true });
    expect(silent.data.error).toMatch(/A person must agree to that, and this client cannot ask one\./);
    expect(readFileSync(host('big.txt'), 'utf8')).toHaveLength(101);
    expect(existsSync(host('d/big.txt'))).toBe(true);
  });

  it('changes nothing when the file changed while the person was asked', async () => {
    const call = setUp();
    const context: CallContext = {
      confirm: async () => {
        writeFileSync(host('big.txt'), 'c'.repeat(150));
        return true;
      },
    };
    expect((await call('delete_path', { path: 'big.txt', permanent: true }, context)).data.error).toMatch(
      /^The file changed while the person was asked/,
    );
    expect(existsSync(host('big.txt'))).toBe(true);
  });

  it('does not ask if everything can be kept', async () => {
    const call = setUp();
    const { ok, data } = await call('delete_path', { path: 'small.txt', permanent: true });
    expect([ok, data.undoable]).toEqual([true, true]);
  });

  it('asks once together with --confirm destructive, and does not accept a token instead of a person', async () => {
    setUp();
    const tools = confirmDestructive(bench.table.tools, fixedWorkspace(bench.workspace));
    const call = checkedCall({ tools }, [bench.scratch.base]);
    const asked: string[] = [];
    const input = { path: 'big.txt', permanent: true };
    const { confirm_token } = (await call('delete_path', input)).data;
    expect((await call('delete_path', { ...input, confirm_token })).data.error).toMatch(/this client cannot ask one/);
    expect((await call('delete_path', input, answering(true, asked))).ok).toBe(true);
    expect(asked).toEqual(['Delete the file big.txt? It may be too large to be restored afterwards.']);
  });

  it('is never answered synchronously', async () => {
    setUp();
    const call = { name: 'write_file', input: { path: 'big.txt', content: 'x', permanent: true } };
    const result = callTool(bench.table, call);
    expect(result).toBeInstanceOf(Promise);
    await result;
  });
});
