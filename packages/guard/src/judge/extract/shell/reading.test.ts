import { describe, expect, it } from 'vitest';
import { MAX_PATHS, TooLong } from './limits.ts';
import { ANY, field, GLOB } from './marks.ts';
import { Gathered } from './reading.ts';

describe('what a command line touches', () => {
  it('is each path once, with all of its uses', () => {
    const gathered = new Gathered();
    gathered.write('src', field('a'));
    gathered.write('src', field('a'), 'removes');
    gathered.write('src', field('a'), 'removes');
    gathered.write('', field('b'), 'takes');
    gathered.read('src', field('../c'));
    const { writes, reads, taken, put, undecidable } = gathered.result();
    expect(writes).toEqual([
      { written: 'a', path: 'src/a', uses: ['removes'] },
      { written: 'b', path: 'b' },
    ]);
    expect(reads.map(({ path }) => path)).toEqual(['src/../c']);
    expect([[...taken], [...put], undecidable]).toEqual([['b'], ['src/a'], []]);
  });

  it('is undecidable where a written path is unknown, with its known part', () => {
    const gathered = new Gathered();
    gathered.write('', field(`dir/${ANY}`, 'dir/$X'));
    gathered.write('', field(ANY, '$Y'));
    const { writes, undecidable } = gathered.result();
    expect(writes.map(({ path }) => path)).toEqual(['dir/*']);
    expect(undecidable).toEqual(["It is not known what 'dir/$X' stands for.", "It is not known what '$Y' stands for."]);
  });

  it('may be a pattern', () => {
    const gathered = new Gathered();
    gathered.write('', field(`${GLOB}*.ts`, '*.ts'));
    expect(gathered.result().writes).toEqual([{ written: '*.ts', path: '*.ts', isPattern: true }]);
  });

  it('is bounded', () => {
    const gathered = new Gathered();
    for (let i = 0; i < 30; i++) gathered.undecidable(`${i}`);
    expect(gathered.result().undecidable).toHaveLength(20);
    for (let i = 0; i < MAX_PATHS; i++) gathered.write('', field(`${i}`));
    expect(() => gathered.write('', field('more'))).toThrow(TooLong);
    for (let i = 0; i < 500; i++) gathered.give('', field(`${i}`), 'x');
    expect(gathered.result().given).toHaveLength(500);
    const few = new Gathered();
    for (let i = 0; i < 501; i++) few.give('', field(`${i}`), 'x');
    expect(few.result().undecidable).toEqual(['The command names too many paths.']);
  });

  it('has the first reason for which a part was not read', () => {
    const gathered = new Gathered();
    gathered.cutShort('first');
    gathered.cutShort('second');
    expect(gathered.result().cut).toBe('first');
  });

  it('has the paths given to programs, once and only where they are known', () => {
    const gathered = new Gathered();
    gathered.give('d', field('x'), 'prog');
    gathered.give('d', field('x'), 'other');
    gathered.give('', field(ANY), 'prog');
    expect(gathered.result().given).toEqual([{ written: 'x', path: 'd/x', to: 'prog' }]);
  });

  it('of commands for later counts as given to what runs them', () => {
    const [inner, outer] = [new Gathered(), new Gathered()];
    inner.write('', field('a'));
    inner.undecidable('why');
    outer.mayTouch(inner.result(), 'alias');
    const { writes, given, undecidable } = outer.result();
    expect([writes, given, undecidable]).toEqual([[], [{ written: 'a', path: 'a', to: 'alias' }], ['why']]);
  });
});

it('shows a long word shortened', () => {
  const gathered = new Gathered();
  gathered.write('', field('x'.repeat(400)));
  expect(gathered.result().writes[0]?.written).toBe(`${'x'.repeat(300)}…`);
});
