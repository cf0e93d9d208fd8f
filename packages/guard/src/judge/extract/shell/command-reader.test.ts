import { describe, expect, it } from 'vitest';
import { effects, isOpen, read, writes } from './testing.ts';

describe('a path that a command writes', () => {
  it('is open if a program may read its name as another one', () => {
    expect(['touch "a /etc"', `touch "./'/etc"`, 'touch ./-t/etc', 'touch "a b"', 'touch a/b'].map(isOpen)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('is also the directory above if a wildcard may match it', () => {
    expect(writes('rm -r .*')).toEqual(['.*', '..']);
    expect(writes('rm -r d/.*')).toEqual(['d/.*', 'd/..']);
    expect(writes('rm -r *')).toEqual(['*']);
  });

  it('is in each directory that the shell may be in, and is nothing if it is empty', () => {
    expect(writes('cd d; touch a')).toEqual(['d/a', 'a']);
    expect(writes('touch ""')).toEqual([]);
    expect(read('cd d; cat a ""').reads.map((one) => one.path)).toEqual(['d/a', 'a']);
  });
});

describe('variables before a command', () => {
  it('are set for that command alone', () => {
    expect(effects('X=a sh -c \'touch "$X"\'; touch "x$X"').split(' ')[0]).toBe('a');
    expect(writes('X=a; X=b true; touch "$X"')).toEqual(['a']);
    expect(isOpen('X=b true; touch "$X"')).toBe(isOpen('touch "$X"'));
  });

  it('are set for the rest without a command, which may fail if it runs something', () => {
    expect(writes('X=a; touch "$X"')).toEqual(['a']);
    expect(writes('X=a && touch b || touch c')).toEqual(['b', 'c']);
    expect(writes('X=$(touch a); touch b')).toEqual(['a', 'b']);
    expect(writes('> a')).toEqual(['a']);
  });
});

describe('a command with several meanings', () => {
  it('is read in each of them', () => {
    expect(writes('if t; then X=a; else X=b; fi; touch "$X"').toSorted()).toEqual(['a', 'b']);
    expect(writes('if t; then X=touch; else X=echo; fi; $X a')).toEqual(['a']);
  });

  it('is undecidable with more than sixteen', () => {
    const choose = (name: string) => `if t; then ${name}=a; else ${name}=b; fi;`;
    const names = ['A', 'B', 'C', 'D', 'E'];
    const line = (count: number) => {
      const some = names.slice(0, count);
      return `${some.map(choose).join(' ')} touch ${some.map((name) => `"$${name}"`).join(' ')}`;
    };
    expect([isOpen(line(4)), isOpen(line(5))]).toEqual([false, true]);
  });
});

describe('text as commands', () => {
  it('is read where it runs, as far as it is known', () => {
    expect(writes('eval "touch a"; touch b')).toEqual(['a', 'b']);
    expect(read('eval "$X"').undecidable).toContain('Commands are made from text that is not known.');
    expect(writes('touch "$(echo a)"')).toEqual(['a']);
    expect(writes('touch "$(printf "a\\n\\n")"')).toEqual(['a']);
    expect(read('eval "touch a ("').undecidable.join()).toContain('The command could not be parsed');
  });

  it('in a substitution does not change the shell', () => {
    expect(writes('X=a; Y="$(X=b; cd d)"; touch "$X"')).toEqual(['a']);
  });

  it('may not be nested more than 24 deep', () => {
    const nested = (depth: number) => `${'eval '.repeat(depth)}touch a`;
    expect(read(nested(8)).undecidable).toEqual([]);
    expect(isOpen('f() { f; }; f')).toBe(true);
  });

  it('may not run more than a thousand commands', () => {
    expect(read('true;'.repeat(999)).cut).toBeUndefined();
    expect(read('true;'.repeat(1_001)).cut).toBe('it runs more than 1000 commands');
  });
});

describe('a function', () => {
  it('is read with its arguments where it is called, and those end with it', () => {
    expect(writes('f() { touch "$1"; }; f a; f b')).toEqual(['a', 'b']);
    expect(writes('f() { cd d; }; f; touch a')).toContain('d/a');
    expect(writes('set -- x; f() { true; }; f a; touch "$1"')).toEqual(['x']);
    expect(writes('if t; then f() { touch a; }; else f() { touch b; }; fi; f').toSorted()).toEqual(['a', 'b']);
  });
});

describe('the input of a command', () => {
  it('is that of its redirection, else of the pipe, else of the group', () => {
    expect(writes('echo "touch a" | sh')).toEqual(['a']);
    expect(writes('echo "touch a" | { sh; }')).toEqual(['a']);
    expect(writes('{ sh; } <<< "touch a"')).toEqual(['a']);
    expect(writes('echo "touch a" | sh <<< "touch b"')).toEqual(['b']);
  });

  it('stays after an exec', () => {
    expect(writes('exec <<< "touch a"; sh')).toEqual(['a']);
    expect(writes('true <<< "touch a"; sh')).toEqual([]);
  });
});

it('knows the values that declarations set', () => {
  expect(writes('export X=a; touch "$X"')).toEqual(['a']);
  expect(writes('echo X=a; touch b')).toEqual(['b']);
});
