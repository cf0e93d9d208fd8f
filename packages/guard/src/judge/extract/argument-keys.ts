import { wordSet, wordsOf } from '../words.ts';

/** The kinds of values that the name of an argument indicates. */
export type KeyMeaning =
  /** Always a path. */
  | 'path'
  /** Usually a path, but some tools put text there (`source`, `target`, `output`). */
  | 'loose'
  /** The directory at which relative paths start. */
  | 'base'
  /** The place to which a tool writes. */
  | 'output'
  /** Usually the place to which a tool writes; in some tools a person, a page or a name (`to`). */
  | 'goal'
  /** The object of the work: some tools write it, others read it (`target`). */
  | 'aim'
  /** A URL: a path only with the scheme `file:`. */
  | 'url'
  /** Text that a tool writes to a file. */
  | 'body'
  /** Text to search for, or for people to read. */
  | 'content'
  /** A command line. */
  | 'command'
  /** Several command lines. */
  | 'commands'
  /** A patch. */
  | 'patch'
  /** The arguments of another call. */
  | 'arguments'
  | 'other';

const EXACT: readonly (readonly [KeyMeaning, ReadonlySet<string>])[] = [
  ['command', wordSet('command cmd commandline shellcommand bashcommand terminalcommand commandstring cmdline run')],
  ['commands', wordSet('commands cmds commandlines commandlist')],
  ['patch', wordSet('patch patchtext patchcontent diff diffs unifieddiff patches udiff')],
  [
    'arguments',
    wordSet('arguments args parameters params input toolinput toolargs toolarguments kwargs actioninput payload'),
  ],
  [
    'base',
    wordSet(`cwd workdir workingdirectory workingdir currentdirectory currentworkingdirectory root rootdir rootdirectory
      rootpath basedir basepath basedirectory workspace workspaceroot workspacepath workspacefolder projectroot
      projectdir projectpath repopath repodir repository repo directory dir dirpath folder parentdir parentdirectory`),
  ],
  [
    'output',
    wordSet(`output out outfile outputfile outputpath outpath outdir outputdir outputdirectory dest destination dst
      destinationpath destpath destfile savepath saveto saveas savedir downloadpath downloaddir newpath newfilepath
      exportpath targetpath targetfile targetdir linkpath`),
  ],
  ['goal', wordSet('to newname newuri')],
  [
    'path',
    wordSet(`path paths file files filename filenames filepath filepaths fullpath abspath absolutepath relativepath
      notebookpath notebook filelist targetfile targetfiles sourcepath sourcefile oldpath oldname oldfilepath olduri
      uri fileuri relpath pathname relativeworkspacepath pathtofile fname`),
  ],
  ['aim', wordSet('target targets')],
  ['loose', wordSet('source sources src from image images location locations')],
  ['url', wordSet('url urls href link links endpoint route baseurl website page imageurl')],
  [
    'body',
    wordSet(`content contents filecontent filecontents filetext newstring newstr newtext newcode newsource newcontent
      newbody symbolbody updatedcontent codeedit replacementcontent appendtext insertedtext replacechunks replacementchunks
      rewrite replacement`),
  ],
  [
    'content',
    wordSet(`text texts body old new oldstring oldstr 
      oldtext code oldcode oldsource cellsource snippet prompt prompts query queries
      instruction instructions description message msg reason reasoning explanation thought thoughts comment comments
      note notes title summary search replace replacement replacements_text targetcontent regex
      expression language data lines linetext before after anchor match find needle html markdown css sql todo
      fact question answer label activeform justification commitmessage context rationale plan headertext pattern
      needleregex repl stdin template selector oldcontent 
      originalcontent original modified insertion userrequest toolsummary toolaction
      codemarkdownlanguage includepattern excludepattern header headers accept goal task details error result
      namepath namepathpattern namepathprefix symbolpath symbolname element xpath jsonpath`),
  ],
];

const MEANINGS = new Map(EXACT.flatMap(([meaning, names]) => [...names].map((name) => [name, meaning] as const)));
const PATH_ENDINGS = wordSet('path paths file files filename filepath uri uris pathname');
const BASE_ENDINGS = wordSet('dir dirs directory directories folder folders cwd workdir root workspace');
const OUTPUT_BEGINNINGS = wordSet('output out dest destination dst save export download');
const GOAL_BEGINNINGS = wordSet('new to target request response');
/** Words that indicate writing, in a name that also contains a word for a place. */
const SAVING = wordSet(
  'save saves saved write writes written output outputs dump dumps export exports download downloads',
);
const PLACES = wordSet('path paths file files filename filepath uri dir dirs directory directories folder folders');
const CONTENT_ENDINGS = wordSet('text string str code body source message description markdown html');
const FLAG_BEGINNINGS = wordSet('is has include exclude create make recursive show max min num allow use');
/** Meanings whose values are always checked as paths. */
const KNOWN_PLACES: ReadonlySet<KeyMeaning> = new Set(['path', 'base', 'output', 'goal', 'aim', 'patch', 'loose']);
const CACHE = new Map<string, KeyMeaning>();

/** The kind of value an argument holds, by its name in any spelling. */
export function meaningOf(key: string): KeyMeaning {
  let meaning = CACHE.get(key);
  if (meaning === undefined) {
    meaning = meaningOfWords(wordsOf(key));
    // Models choose names, so the cache is bounded.
    if (CACHE.size < 2_000 && key.length < 100) CACHE.set(key, meaning);
  }
  return meaning;
}

/** Whether the configuration says that this argument holds a path although its name does not. */
export function isHint(key: string, meaning: KeyMeaning, hints: ReadonlySet<string>): boolean {
  return hints.size > 0 && !KNOWN_PLACES.has(meaning) && hints.has(wordsOf(key).join(''));
}

function meaningOfWords(words: readonly string[]): KeyMeaning {
  const exact = MEANINGS.get(words.join(''));
  if (exact !== undefined) return exact;
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (words.length > 1 && FLAG_BEGINNINGS.has(first)) return 'other';
  if (words.some((word) => SAVING.has(word)) && words.some((word) => PLACES.has(word))) return 'output';
  if (words.length === 2 && SAVING.has(first) && /^(?:to|as|into|at|in)$/.test(last)) return 'output';
  const isPlace = PATH_ENDINGS.has(last) || BASE_ENDINGS.has(last);
  if (isPlace && OUTPUT_BEGINNINGS.has(first)) return 'output';
  if (isPlace && GOAL_BEGINNINGS.has(first)) return 'goal';
  if (isPlace) return PATH_ENDINGS.has(last) ? 'path' : 'base';
  if (/^contents?$/.test(last)) return 'body';
  if (words.length > 1 && CONTENT_ENDINGS.has(last)) return 'content';
  return 'other';
}

/** The names from the configuration, normalised for comparison. */
export function hintSet(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => wordsOf(name).join('')));
}
