/** Words that say nothing about what a flow does. */
const STOP_WORDS = new Set(
  'a an the of add step component to in on at by for from with and or is are it its this that my me i you your we build create make need want set up flow which then please gives give does do can one into out has have workspace new using use each every result how many simple small just also them they be get as only where per all their what something thing tell tells let lets like could would put together some whatever compute computes calculate calculates computer disk screen canvas'.split(
    ' ',
  ),
);

/** Stems or words with the stem, not the whole word, that components use. */
const SYNONYMS: Readonly<Record<string, string>> = {
  document: 'fil',
  chatbot: 'chat',
  summary: 'summaris',
  website: 'pag',
  question: 'messag',
};

/** Numbers that people write as words. */
export const NUMBERS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, ten: 10 };

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

function stem(word: string): string {
  const plain = word.replace(/z(?=e|ing|er)/, 's').replace(/(?:ies|es|s|ing|ed|er|e)$/, '');
  return SYNONYMS[word] ?? SYNONYMS[word.replace(/s$/, '')] ?? SYNONYMS[plain] ?? (plain.length < 3 ? word : plain);
}
