/** Groups of words that mean the same act, in requests and in descriptions of tools. */
const ACTS: Readonly<Record<string, string>> = {
  read: 'read open show display cat print view see contents say says load written contain contains',
  list: 'list show entries ls enumerate',
  find: 'find search look lookup locate grep google where which match matching appear appears glob query',
  write: 'write save store put create make overwrite',
  create: 'create make new open add write raise',
  edit: 'edit replace change swap substitute modify update fix',
  delete: 'delete remove rid erase drop',
  compute: 'calculate compute evaluate computes calculates evaluates much',
  get: 'get give gives tell what whats how fetch fetches download downloads',
  send: 'send sends mail email',
  run: 'run runs execute start launch',
  add: 'add insert place put append',
  connect: 'connect wire link attach join',
  set: 'set configure change adjust',
  build: 'build create make draft design set want need',
  undo: 'undo revert',
  describe: 'describe about explain',
  convert: 'convert converts exchange much',
};

/** Words for the same thing. */
const THINGS: Readonly<Record<string, string>> = {
  directory: 'directory folder dir directories folders',
  web: 'web internet online google',
  page: 'page website site webpage',
  time: 'time clock hour',
  date: 'date today day',
  file: 'file document doc',
};

/** Words that say nothing about which tool fits. */
const EMPTY = new Set(
  'a an the of to in on at by for from with and or is are was be it its this that these those me my i you your we us please could would can do does did like want need new all any some every one into out up off as if so not text current name value use used using call called named there here have has his her their them just also now about what whats how where which who whom whose when why number'.split(
    ' ',
  ),
);

const index = (groups: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const [group, words] of Object.entries(groups))
    for (const word of words.split(' ')) found.set(word, [...(found.get(word) ?? []), group]);
  return found;
};

const ACTS_OF = index(ACTS);
const THINGS_OF = index(THINGS);

/** Whether a sentence can begin with this word as its verb. */
export const isVerb = (word: string): boolean => ACTS_OF.has(word) && !EMPTY.has(word);

/** Whether a word says something of its own. */
export const mayAct = (word: string): boolean => !EMPTY.has(word);

/** The acts and things that a text names. */
export interface Meaning {
  readonly acts: ReadonlySet<string>;
  readonly things: ReadonlySet<string>;
}

/** Reads the words of a text: names in snake_case and camelCase count as several words. */
export function meaningOf(text: string): Meaning {
  const acts = new Set<string>();
  const things = new Set<string>();
  for (const word of wordsOf(text)) {
    for (const act of ACTS_OF.get(word) ?? []) acts.add(act);
    if (!EMPTY.has(word) && word.length > 1) for (const thing of THINGS_OF.get(word) ?? [stem(word)]) things.add(thing);
  }
  return { acts, things };
}

/** Words in lower case. */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/\blook(?:ing)? up\b/gi, 'lookup')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/['’]/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word without the ending of a plural or of a verb's third person. */
const stem = (word: string): string => {
  const plain = THINGS_OF.get(word.replace(/s$/, ''))?.[0] ?? word;
  return plain.length > 3 ? plain.replace(/(?<!s)s$/, '') : plain;
};
