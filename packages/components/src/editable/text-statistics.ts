import { Component, toText } from './component.ts';

/** Counts of a text. */
export class TextStatistics extends Component {
  label = 'Text statistics';
  description = 'Counts words, characters, lines and paragraphs of a text.';
  icon = 'hash';
  inputs = [
    { name: 'text_input', label: 'Text', kind: 'multiline', accepts: ['Message'], required: true, toolParameter: true },
  ];
  outputs = [{ name: 'data', label: 'Counts', types: ['Data'] }];
  text_input: unknown;

  run() {
    const text = toText(this.text_input);
    return { data: countsOf(text) };
  }
}

const WORD = 1;
const JOINER = 2;
const SPACE = 3;
const OTHER = 4;

/** Counts in one pass and without a list of words or characters: a text may have 30 million. */
function countsOf(text: string) {
  const kindOf = kinds();
  let [words, characters, breaks, paragraphs] = [0, 0, 0, 0];
  // The kind before, and a joiner after a word: a word goes on behind it.
  let before = OTHER;
  // Line breaks since the last character that is not a space; two of them end a paragraph.
  let breaksInGap = 2;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) as number;
    if (code > 0xffff) at++;
    characters++;
    const kind = kindOf(code);
    if (kind === SPACE) {
      if (code === 10) {
        breaks++;
        breaksInGap++;
      }
    } else {
      if (breaksInGap >= 2) paragraphs++;
      breaksInGap = 0;
    }
    if (kind === WORD && before !== WORD && before !== JOINER) words++;
    before = kind === JOINER && before !== WORD ? OTHER : kind;
  }
  return { words, characters, lines: breaks + (text === '' || text.endsWith('\n') ? 0 : 1), paragraphs };
}

/** The kind of a character. Asks the expressions once for each. */
function kinds(): (code: number) => number {
  const known = new Uint8Array(0x10000);
  const others = new Map<number, number>();
  return (code) => {
    const found = code < known.length ? known[code] : others.get(code);
    if (found) return found;
    const character = String.fromCodePoint(code);
    const kind = /[\p{L}\p{N}]/u.test(character)
      ? WORD
      : "'’-".includes(character)
        ? JOINER
        : /\s/.test(character)
          ? SPACE
          : OTHER;
    if (code < known.length) known[code] = kind;
    else others.set(code, kind);
    return kind;
  };
}
