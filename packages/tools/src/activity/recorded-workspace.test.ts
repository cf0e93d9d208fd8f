import { openWorkspace, type Workspace } from '@croft/workspace';
import { codeOf, makeScratch, refusalOf, type Scratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordedWorkspace } from './recorded-workspace.ts';

let scratch: Scratch;
let workspace: Workspace;
beforeEach(() => {
  scratch = makeScratch(['a = one']);
  workspace = openWorkspace(scratch.workspace);
});
afterEach(() => {
  workspace.close();
  scratch.remove();
});

/** A recorded workspace, and what happened to its records, in order. */
function record(fail: { intend?: boolean; finish?: boolean } = {}) {
  const seen: string[] = [];
  const errors: unknown[] = [];
  const recorded = recordedWorkspace(workspace, {
    begin(path) {
      if (path.startsWith('unrecorded')) return undefined;
      return {
        id: 'id',
        intend(changes) {
          if (fail.intend) throw new Error('not recorded');
          seen.push(`${path}: intend ${changes.map(({ kind }) => kind).join(' ')}`);
        },
        done: () => void seen.push(`${path}: done`),
        withdraw: () => void seen.push(`${path}: withdraw`),
        finish({ outcome, changes, bytes }) {
          if (fail.finish) throw new Error('not finished');
          seen.push(`${path}: ${outcome} ${changes?.length ?? 0} ${bytes ?? '-'}`);
        },
      };
    },
    onError: (error) => errors.push(error),
  });
  return { recorded, seen, errors };
}

it('records each kind of change before it is made', () => {
  const { recorded, seen } = record();
  expect(recorded.write('b', 'two')).toMatchObject({ status: 'created', bytesWritten: 3 });
  recorded.append('b', '!');
  recorded.edit('b', [{ oldString: 'two', newString: '2', replaceAll: false }]);
  recorded.createDir('d');
  expect(seen).toEqual([
    'b: intend create', 'b: done', 'b: ok 1 3',
    'b: intend append', 'b: done', 'b: ok 1 1',
    'b: intend update', 'b: done', 'b: ok 1 -',
    'd: intend mkdir', 'd: done', 'd: ok 1 -',
  ]); // biome-ignore format: a row for each change
  expect(recorded.root).toBe(workspace.root);
});

it('records why a change failed, and passes the failure on', async () => {
  const { recorded, seen } = record();
  expect(await codeOf(() => recorded.write('../x', 'x'))).toBe('outside');
  expect(await codeOf(() => recorded.write('a', 'x', { expectedVersion: 'absent' }))).toBe('changed');
  expect(seen.filter((line) => !line.endsWith('withdraw'))).toEqual(['../x: outside 0 -', 'a: changed 0 -']);
});

it('makes no change that cannot be recorded', async () => {
  const { recorded, seen } = record({ intend: true });
  expect(refusalOf(() => recorded.write('b', 'x'))).toMatch(/not recorded|Cannot write/);
  expect(await codeOf(() => workspace.info('b'))).toBe('not_found');
  expect(seen).toHaveLength(1);
});

it('makes a change without the end of its record, and reports that', async () => {
  const { recorded, errors } = record({ finish: true });
  recorded.write('b', 'x');
  expect([(await workspace.readWhole('b')).text, errors.map(String)]).toEqual(['x', ['Error: not finished']]);
});

it('makes a change that gets no record', async () => {
  const { recorded, seen } = record();
  recorded.write('unrecorded', 'x');
  expect([(await workspace.readWhole('unrecorded')).text, seen]).toEqual(['x', []]);
});
