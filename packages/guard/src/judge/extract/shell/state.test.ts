import { describe, expect, it } from 'vitest';
import { ANY, field } from './marks.ts';
import { isSame, joined, joinOutcome, sameValue, ShellState, whileFed } from './state.ts';

const state = (cwds: readonly string[] = ['a'], fill: (one: ShellState) => void = () => {}) => {
  const made = new ShellState(cwds);
  fill(made);
  return made;
};
const letters = (count: number) => Array.from({ length: count }, (_, n) => `v${n}`);

describe('a copy of a state', () => {
  it('has everything, and can change alone', () => {
    const one = state(['a'], (made) => {
      made.previous = ['p'];
      made.stack = [['s']];
      made.variables.set('v', ['1']);
      made.functions.set('f', []);
      made.aliases.set('l', 'ls');
      made.readonly.add('r');
      made.parameters = [field('1')];
      made.zeroth = field('0');
      made.made.add('m');
      made.contents.set('c', 'text');
      made.stdin = field('in');
      made.fed = ['fed'];
      made.isDirectory = () => true;
      made.temporary = '/t';
      made.options.add('o');
      made.hasRemoved = true;
    });
    const copy = one.copy();
    expect(copy).toEqual(one);
    copy.stack.push(['x']);
    for (const map of [copy.variables, copy.functions, copy.aliases, copy.contents] as Map<string, any>[]) map.clear();
    for (const set of [copy.readonly, copy.made, copy.options]) set.clear();
    expect([one.stack.length, one.variables.size, one.functions.size, one.aliases.size, one.contents.size]).toEqual([
      1, 1, 1, 1, 1,
    ]);
    expect([one.readonly.size, one.made.size, one.options.size]).toEqual([1, 1, 1]);
  });

  it('of a new state is a new state', () => {
    expect(state().copy()).toEqual(state());
    expect(state()).toMatchObject({
      cwds: ['a'],
      previous: [ANY],
      temporary: '/tmp',
      hasRemoved: false,
    });
  });
});

describe('an assignment', () => {
  it('sets a value, and may leave the old one of a read-only variable', () => {
    const one = state();
    one.assign('x', ['1']);
    one.readonly.add('x').add('y');
    one.assign('x', ['2']);
    one.assign('y', ['3']);
    expect([one.variables.get('x'), one.variables.get('y')]).toEqual([
      ['1', '2'],
      [ANY, '3'],
    ]);
  });

  it('fails with more than 256 variables', () => {
    const one = state();
    for (const name of letters(256)) one.assign(name, ['1']);
    one.assign('v0', ['2']);
    expect(() => one.assign('more', ['1'])).toThrow('too many variables');
  });
});

describe('two states that join', () => {
  const both = (first: (one: ShellState) => void, second: (one: ShellState) => void) => {
    const one = state(['a'], first);
    one.join(state(['a'], second));
    return one;
  };

  it('may be in the directories of both, of which six are kept', () => {
    const one = state(['a']);
    one.join(state(['b', 'a']));
    expect(one.cwds).toEqual(['a', 'b']);
    one.join(state(letters(5)));
    expect(one.cwds).toEqual(['a', 'b', 'v0', 'v1', 'v2', ANY]);
    const six = state(['a']);
    six.join(state(letters(5)));
    expect(six.cwds).toHaveLength(6);
    expect(six.cwds).not.toContain(ANY);
    expect(
      both(
        (x) => (x.previous = ['p']),
        (x) => (x.previous = ['q']),
      ).previous,
    ).toEqual(['p', 'q']);
  });

  it('have the values of both, unknown where one has none, of which eight are kept', () => {
    const one = both(
      (x) => x.variables.set('v', ['1']).set('w', ['1']),
      (x) => x.variables.set('v', ['2']).set('u', ['3']),
    );
    expect(Object.fromEntries(one.variables)).toEqual({ v: ['1', '2'], w: ['1', ANY], u: [ANY, '3'] });
    const many = both(
      (x) => x.variables.set('v', letters(8)),
      (x) => x.variables.set('v', ['x']),
    );
    expect(many.variables.get('v')).toEqual([...letters(7), ANY]);
    const list = both(
      (x) => x.variables.set('v', { items: [field('1')] }),
      (x) => x.variables.set('v', ['2']),
    );
    expect(list.variables.get('v')).toEqual([ANY, '1', '2']);
  });

  it('keep what one of them has, and only what both made', () => {
    const one = both(
      (x) => {
        x.made.add('m').add('n');
        x.functions.set('f', ['a' as never]);
        x.stack = [['s']];
      },
      (x) => {
        x.made.add('n');
        x.functions.set('f', ['b' as never]);
        x.aliases.set('l', 'ls');
        x.readonly.add('r');
        x.contents.set('c', 'text');
        x.options.add('o');
        x.hasRemoved = true;
      },
    );
    expect(one).toMatchObject({ stack: [['s', 'a']], hasRemoved: true });
    expect([[...one.made], one.functions.get('f'), one.aliases.get('l'), one.contents.get('c')]).toEqual([
      ['n'],
      ['a', 'b'],
      'ls',
      'text',
    ]);
    expect([one.readonly.has('r'), one.options.has('o')]).toEqual([true, true]);
    expect(
      both(
        (x) => (x.stack = [['s']]),
        (x) => (x.stack = [['t']]),
      ).stack,
    ).toEqual([['s', 't']]);
  });

  it('do not change if they are one', () => {
    const one = state(['a'], (x) => x.variables.set('v', { items: [] }));
    one.join(one);
    expect(one.variables.get('v')).toEqual({ items: [] });
  });
});

it('gives the state after any outcome', () => {
  const [one, two] = [state(['a']), state(['b'])];
  expect([
    joinOutcome({ success: one, failure: undefined }),
    joinOutcome({ success: undefined, failure: two }),
  ]).toEqual([one, two]);
  expect(joinOutcome({ success: undefined, failure: undefined })).toBeUndefined();
  expect(joinOutcome({ success: one, failure: two })?.cwds).toEqual(['a', 'b']);
  expect(joined(undefined, two)).toBe(two);
  expect(joined(one, undefined)).toBe(one);
  expect(joined(state(['x']), state(['y']))?.cwds).toEqual(['x', 'y']);
});

it('compares values, directories and variables', () => {
  expect([
    sameValue(['1'], ['1']),
    sameValue(['1'], ['2']),
    sameValue(undefined, undefined),
    sameValue(['1'], undefined),
  ]).toEqual([true, false, true, false]);
  const withValue = (value: string) => state(['a'], (x) => x.variables.set('v', [value]));
  expect([isSame(withValue('1'), withValue('1')), isSame(withValue('1'), withValue('2'))]).toEqual([true, false]);
  expect([isSame(state(['a']), state(['b'])), isSame(state(), withValue('1')), isSame(state(), state())]).toEqual([
    false,
    false,
    true,
  ]);
});

it('runs commands with an input, and restores the one before', () => {
  const one = state(['a'], (x) => {
    x.fed = ['old'];
    x.stdin = field('file');
  });
  const other = state(['b']);
  const result = whileFed(one, ['new'], () => {
    expect([one.fed, one.stdin]).toEqual([['new'], undefined]);
    return { success: one, failure: other };
  });
  expect([one.fed, one.stdin, other.fed, result.success]).toEqual([['old'], field('file'), ['old'], one]);
  whileFed(one, undefined, () => {
    expect(one.fed).toEqual(['old']);
    return { success: one, failure: undefined };
  });
});
