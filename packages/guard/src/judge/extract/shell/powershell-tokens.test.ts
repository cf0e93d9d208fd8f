import { describe, expect, it } from 'vitest';
import { hasSubexpression, subexpressions, tokenize } from './powershell-tokens.ts';

const texts = (source: string) => tokenize(source).map(({ text }) => text);
const word = (written: string) => ({ text: '', written, isOperator: false, isQuoted: false });

describe('words', () => {
  it.each([
    ['rm a  b', ['rm', 'a', 'b']],
    ['rm \'a b\' "c d"', ['rm', 'a b', 'c d']],
    ['rm \'it\'\'s\' "say ""hi"""', ['rm', "it's", 'say "hi"']],
    ['rm "a`"b" a`;b', ['rm', 'a"b', 'a;b']],
    ['rm "`u{2e}`U{2E}/a" `u{2e}b', ['rm', '../a', '.b']],
    ['rm a # b', ['rm', 'a']],
    ['rm a#b <# c #> d', ['rm', 'a#b', 'd']],
    ['rm `\n a', ['rm', 'a']],
    ['a; b | c && d || e & f', ['a', ';', 'b', '|', 'c', '&&', 'd', '||', 'e', '&', 'f']],
    ['a\r\nb', ['a', '\n', 'b']],
    ['a > b 2>> c 2>&1', ['a', '>', 'b', '2>>', 'c', '2>&1']],
    ['rm $(a b) ${c d}', ['rm', '$(a b)', '${c d}']],
    ['x/{a}/b', ['x/{a}/b']],
    ["@'\na\n'@ @'\nb", ['a', '@', ';', '\n', 'b']],
    ['@"\na\n"@ @\'\nb\n\'@ @"\nc', ['a', 'b', '@', ';', '\n', 'c']],
    ['rm ${a} ${b', ['rm', '${a}', '$', '{', 'b']],
  ])('of %j', (source, expected) => {
    expect(texts(source)).toEqual(expected);
  });

  it('are operators where they have a meaning of their own', () => {
    expect(tokenize(';')).toEqual([{ text: ';', written: ';', isOperator: true, isQuoted: false }]);
  });

  it('keep their quotes as written', () => {
    expect(tokenize('rm \'a\'b "c" x')).toEqual([
      { text: 'rm', written: 'rm', isOperator: false, isQuoted: false },
      { text: 'ab', written: "'a'b", isOperator: false, isQuoted: true },
      { text: 'c', written: '"c"', isOperator: false, isQuoted: false },
      { text: 'x', written: 'x', isOperator: false, isQuoted: false },
    ]);
  });

  it('are the text between the lines of a here-string', () => {
    for (const quote of ['"', "'"])
      expect(tokenize(`rm @${quote}\na ${quote}b\n${quote}@`)[1]).toMatchObject({
        text: `a ${quote}b`,
        isQuoted: true,
      });
  });

  it('have escapes in double quotes only', () => {
    expect([texts('@"\n`u{2e}a\n"@'), texts("@'\n`u{2e}a\n'@"), texts("'`u{2e}a'")]).toEqual([
      ['.a'],
      ['`u{2e}a'],
      ['`u{2e}a'],
    ]);
  });

  it('say whether a parenthesis belongs to the word before', () => {
    expect(tokenize('$x.y(1)')[1]).toMatchObject({ text: '(', isOperator: true, isAttached: true });
    expect(tokenize('if (1)')[1]).not.toHaveProperty('isAttached');
  });
});

describe('subexpressions', () => {
  it('are found outside of single quotes and without a backtick', () => {
    expect(['"$(a)"', "'$(a)'", "@'\n$(a)\n'@", '`$(a)', '"a"'].map(hasSubexpression)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('give their texts, also several and inner ones', () => {
    expect(subexpressions(word('"$(a (b)) $(c)"'))).toEqual(['a (b)', 'c']);
    expect(subexpressions(word('"$(a $(b))"'))).toEqual(['a $(b)']);
    expect(subexpressions(word('"$(a \')\' "b)")"'))).toEqual(['a \')\' "b)"']);
    expect([subexpressions(word('"$(a"')), subexpressions(word('a'))]).toEqual([[], []]);
  });
});
