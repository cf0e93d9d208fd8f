import { describe, expect, it } from 'vitest';
import { TooLong } from './limits.ts';
import { orUnknown } from './or-unknown.ts';
import { read, writes } from './testing.ts';

describe('a part of a command that has too many meanings', () => {
  const twice = '[ x ] && A=1 || A=2; ';
  it.each([
    ['echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}; touch ../x', '../x'],
    ['touch {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b} ../x', '../x'],
    [`${twice}echo $A $A $A $A $A; touch ../x`, '../x'],
    [`${twice}touch $A $A $A $A $A ../x`, '1 2 ../x'],
    [`${twice}touch ../x $A$A$A$A$A`, '../x'],
    [`${twice}B=$A$A$A$A$A; touch ../x`, '../x'],
    [`${twice}cat <<E\n$A$A$A$A$A\nE\ntouch ../x`, '../x'],
    [`${twice}if [ "$A$A$A$A$A" ]; then touch ../x; fi`, '../x'],
    ['f() { [ $1 = 0 ] || f 0; }; f 1; touch ../x', '../x'],
    ['f() { touch ../x; [ $1 = 0 ] || f 0; }; f 1', '../x'],
    [`${'eval '.repeat(300)} touch a; touch ../x`, '../x'],
    [`${Array.from({ length: 300 }, (_, n) => `a${n}=1`).join('; ')}; touch ../x`, '../x'],
  ])('is unknown, and the rest is read: %s', (command, expected) => {
    expect(read(command).undecidable).not.toEqual([]);
    expect(writes(command).join(' ')).toBe(expected);
  });

  it('has no effect on the input of the commands after it', () => {
    expect(writes(`{ ${'eval '.repeat(300)} a; sh; } <<< 'touch ../x'`)).toEqual(['../x']);
  });
});

it('a limit on the whole command line ends the reading', () => {
  const run = () => {
    throw new TooLong('too long');
  };
  expect(() => orUnknown(run, 0, () => {})).toThrow(TooLong);
});
