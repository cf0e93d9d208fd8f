import { describe, expect, it } from 'vitest';
import { expandBraces } from './expand-braces.ts';
import { ATOM } from './marks.ts';

describe('braces', () => {
  it.each([
    ['a', 'a'],
    ['{a,b}', 'a b'],
    ['x{a,b}y{c,d}', 'xayc xayd xbyc xbyd'],
    ['{a,b{c,d}}', 'a bc bd'],
    ['{a,}b', 'ab b'],
    ['{1..3}', '1 2 3'],
    ['{3..1}', '3 2 1'],
    ['{01..10..4}', '01 05 09'],
    ['{-1..1}', '-1 0 1'],
    ['{a..c}', 'a b c'],
    ['{c..a..2}', 'c a'],
    ['{a}', '{a}'],
    ['{}', '{}'],
    ['{a..1}', '{a..1}'],
    ['{a,b', '{a,b'],
    ['a}b', 'a}b'],
    ['$x{c,d}', '$xc $xd'],
    ['{$a{b,c},d}', '$ab $ac d'],
    ['{001..3}', '001 002 003'],
    ['{a\\,b,c}', 'a\\,b c'],
    ['\\\\{a,b}', '\\\\a \\\\b'],
    ["'a\\'{b,c}", "'a\\'b 'a\\'c"],
    ["$'a\\'{b,c}'{d,e}", "$'a\\'{b,c}'d $'a\\'{b,c}'e"],
    ['$(a {b,c}){d,e}', '$(a {b,c})d $(a {b,c})e'],
    ['${a{b,c}}{d,e}', '${a{b,c}}d ${a{b,c}}e'],
    ['$(a \\) {c,d}){e,f}', '$(a \\) {c,d})e $(a \\) {c,d})f'],
    ["${a'}'b{c,d}}{e,f}", "${a'}'b{c,d}}e ${a'}'b{c,d}}f"],
    ["$(a '\\' {c,d}){e,f}", "$(a '\\' {c,d})e $(a '\\' {c,d})f"],
    ['$(a (b) {c,d}){e,f}', '$(a (b) {c,d})e $(a (b) {c,d})f'],
    ['x{1..2}y', 'x1y x2y'],
    ["$(a ')'){b,c}", "$(a ')')b $(a ')')c"],
  ])('of %s give %s', (text, words) => {
    expect(expandBraces(text).join(' ')).toBe(words);
  });

  it.each(['${a,b}', "'{a,b}'", '"{a,b}"', '\\{a,b}', '$(echo {a,b})', "$'{a,b}'", '`{a,b}`', '"\\"{a,b}"'])(
    'are text in %s',
    (text) => {
      expect(expandBraces(text)).toEqual([text]);
    },
  );

  it('behind quoted text count', () => {
    expect(expandBraces("'x'{a,b}")).toEqual(["'x'a", "'x'b"]);
    expect(expandBraces('${x}{a,b}')).toEqual(['${x}a', '${x}b']);
    expect(expandBraces("{'a,b',c}")).toEqual(["'a,b'", 'c']);
    expect(expandBraces('{${a,b},c}')).toEqual(['${a,b}', 'c']);
  });

  it('with a long range of numbers are one word for some number', () => {
    expect(expandBraces('{1..64}')).toHaveLength(64);
    expect(expandBraces('a{1..65}/b')).toEqual([`a${ATOM}/b`]);
    expect(expandBraces('{1..999999999}')).toEqual([ATOM]);
  });

  it('with too many words are not expanded at all', () => {
    for (const text of ['{a,b}'.repeat(7), `{${'a,'.repeat(64)}b}`, '{{{a,b},c},d}'.repeat(4)])
      expect(() => expandBraces(text), text.slice(0, 20)).toThrow('too many words');
    expect(expandBraces(`${'{a,'.repeat(40)}b${'}'.repeat(40)}`)).toEqual([
      ...Array.from({ length: 40 }, () => 'a'),
      'b',
    ]);
    expect(() => expandBraces(`${'{a,'.repeat(41)}b${'}'.repeat(41)}`)).toThrow('too deep');
  });
});
