/** Words that say nothing about what a flow does. */
const STOP_WORDS = new Set(
  'a an the of add step component to in on at by for from with and or is are it its this that my me i you your we build create make need want set up flow which then please gives give makes making turn turns does do can one into out has have workspace new using use each every result how many simple small just also them they be get as only where per all their what something thing tell tells let lets like could would put together some whatever compute computes calculate calculates computer disk screen canvas'.split(
    ' ',
  ),
);

/** Stems of words that components use, by other words for the same in the singular. */
const SYNONYMS = new Map([
  ['document', 'fil'],
  ['chatbot', 'chat'],
  ['summary', 'summaris'],
  ['website', 'pag'],
  ['question', 'messag'],
]);

/** Numbers that people write as words. */
export const NUMBERS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, ten: 10 };

/** A text as a pattern that matches only it. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The stems of the words of a text without stop words, in their order. */
export function stemsOf(text: string): string[] {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/\p{L}{2,}/gu);
  return (words ?? [])
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem)
    .filter((each) => !STOP_WORDS.has(each));
}

const ENDING = /(?:(?<=t)ion|ing|ed|er|or|e|y)$/;
const DOUBLED = /([bdgmnprt])\1$/;

/** The same for all forms of a word: `filter`, `filters` and `filtered`, `query` and `queries`, `trim` and `trimming`. */
function stem(word: string): string {
  let plain = word
    .replace(/z(?=e|ing|er)/, 's')
    .replace(/ie[sd]$/, 'y')
    .replace(/(?<=s|x|ch|sh)es$|(?<![su])s$/, '');
  const synonym = SYNONYMS.get(plain);
  if (synonym !== undefined) return synonym;
  for (;;) {
    const cut = plain.replace(ENDING, '');
    const shorter = /(?:ing|ed|er)$/.test(plain) ? cut.replace(DOUBLED, '$1') : cut;
    if (shorter === plain || shorter.length < 3) return plain;
    plain = shorter;
  }
}
