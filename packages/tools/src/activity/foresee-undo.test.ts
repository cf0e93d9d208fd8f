import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreseeUndo } from './foresee-undo.ts';
import { useActivity } from '../../../../tests/support/use-activity.ts';
import { selectUndo } from './undo.ts';

const fixture = useActivity();
const { at, open: setUp } = fixture;

/** The problems of the last calls that changed something, newest first; `fine` where there is none. */
async function foresee(count: number): Promise<string[]> {
  const chosen = selectUndo(fixture.activity.entries(), { count });
  const problems = await foreseeUndo(fixture.workspace, fixture.activity, chosen);
  return chosen.map(({ id }) => problems.get(id) ?? 'fine');
}

describe('the undo', () => {
  it('of each kind of call is foreseen as possible', async () => {
    const call = setUp(['a = one', 'b = two', 'c = three']);
    await call('write_file', { path: 'a', content: 'changed' });
    await call('append_file', { path: 'b', content: '!' });
    await call('delete_path', { path: 'c' });
    await call('move_path', { source: 'b', destination: 'd/b' });
    await call('write_file', { path: 'new/f', content: 'x' });
    await call('create_dir', { path: 'empty' });
    await call('copy_path', { source: 'd', destination: 'copied' });
    expect(await foresee(7)).toEqual(Array(7).fill('fine'));
  });

  it('of a deletion needs a free name', async () => {
    const call = setUp(['a']);
    await call('delete_path', { path: 'a' });
    writeFileSync(at('a'), 'new');
    expect(await foresee(1)).toEqual(['Something new exists at a']);
  });

  it('of a change needs the file as the change left it', async () => {
    const call = setUp(['a', 'b', 'c']);
    for (const path of ['a', 'b', 'c']) await call('write_file', { path, content: 'changed' });
    writeFileSync(at('a'), 'by a person');
    rmSync(at('b'));
    rmSync(at('c'));
    symlinkSync('a', at('c'));
    expect(await foresee(3)).toEqual(['c was changed since', 'b is no longer there', 'a was changed since']);
  });

  it('of a move needs the moved file, and the old name free', async () => {
    const call = setUp(['a', 'b']);
    await call('move_path', { source: 'a', destination: 'x' });
    await call('move_path', { source: 'b', destination: 'y' });
    writeFileSync(at('a'), 'new');
    rmSync(at('y'));
    expect(await foresee(2)).toEqual(['y is no longer there', 'Something new exists at a']);
  });

  it('of a move depends on the newer change of the moved file alone', async () => {
    const call = setUp(['a']);
    await call('move_path', { source: 'a', destination: 'x' });
    await call('write_file', { path: 'x', content: 'changed' });
    expect(await foresee(2)).toEqual(['fine', 'fine']);
  });

  it('of a copied directory needs its content unchanged', async () => {
    const call = setUp(['d/f']);
    await call('copy_path', { source: 'd', destination: 'e' });
    expect(await foresee(1)).toEqual(['fine']);
    mkdirSync(at('e/more'));
    expect(await foresee(1)).toEqual(['e was changed since']);
  });

  it('needs the old content in the trash', async () => {
    const call = setUp(['a', 'b']);
    await call('write_file', { path: 'a', content: 'changed' });
    await call('delete_path', { path: 'b' });
    for (const item of readdirSync(fixture.activity.trashDir)) rmSync(join(fixture.activity.trashDir, item));
    expect(await foresee(2)).toEqual(['The old content of b was not kept', 'The old content of a was not kept']);
  });

  it('of an older call depends on the newer one at its path', async () => {
    const call = setUp(['d/a', 'b']);
    await call('write_file', { path: 'd/a', content: 'first' });
    await call('write_file', { path: 'b', content: 'first' });
    await call('move_path', { source: 'd', destination: 'e' });
    expect(await foresee(3)).toEqual(['fine', 'fine', 'fine']);
    rmSync(at('e'), { recursive: true });
    const problems = await foresee(3);
    expect(problems).toEqual(['e is no longer there', 'fine', 'A newer change at d/a would not be undone']);
  });
});
