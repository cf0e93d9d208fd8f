const EMPTY = new Set(
  'a an the of add step component to in on at by for from with and or is are it its this that my me i you your we build create make need want set up flow which then please gives give does do can one into out has have workspace new using use each every result how many simple small just also them they be get as only where per all their every each'.split(
    ' ',
  ),
);

const SAME: Readonly<Record<string, string>> = {
  document: 'file',
  chatbot: 'chat',
  summary: 'summaris',
  website: 'page',
  question: 'message',
};

/** The stems of the words that say something, in the order of the text. */
export function stemsOf(text: string): string[] {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/\p{L}{2,}/gu);
  return (words ?? [])
    .filter((word) => !EMPTY.has(word))
    .map(stem)
    .filter((each) => !EMPTY.has(each));
}

function stem(word: string): string {
  const plain = word.replace(/z(?=e|ing|er)/, 's').replace(/(?:ies|es|s|ing|ed|er|e)$/, '');
  return SAME[word] ?? SAME[word.replace(/s$/, '')] ?? SAME[plain] ?? (plain.length < 3 ? word : plain);
}
