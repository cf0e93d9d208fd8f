// long: a table, like the one it belongs to: the rules that closed holes outside the shell, and those of the doors.
const SRC = 'packages/guard/src/';

const inGuard = (file, find, replace = '') => ({ file: SRC + file, find, replace });
const rule = (name, test, ...edits) => ({ rule: `guard: ${name}`, edits, test });
const holes = (name) => ({ file: 'tests/red/guard-holes.test.ts', name });

export const HOLE_RULES = [
  rule(
    'a variable in the first line of a text',
    holes('blocks a variable in the first line of a text that a writing tool gets'),
    inGuard('judge/judge-own-paths.ts', "(isFirst && (one.problem?.rule === 'unresolvable-path' ||", '(isFirst && ('),
  ),
  rule(
    'a first line with blanks',
    holes('blocks a first line with blanks that begins on the disk'),
    inGuard(
      'judge/judge-own-paths.ts',
      'return isBegun || (top !== undefined && place.hasTop(top)) ? path : undefined;',
      'return undefined;',
    ),
  ),
  rule(
    'a text that is no patch names no path',
    holes('finds no path in prose'),
    inGuard(
      'judge/judge-own-paths.ts',
      ' || !found.patches.some((text) => readPatch(text).isPatch)',
      ' || found.patches.length === 0',
    ),
  ),
  rule(
    'outputs of unknown tools',
    holes('blocks an output of an unknown tool outside in the default mode'),
    inGuard('judge/judge-own-paths.ts', "outputs.get(written) === 'certain' ||", ''),
  ),
  rule(
    'likely outputs of unknown tools',
    holes('blocks what most likely is one where it begins on the disk'),
    inGuard('judge/judge-own-paths.ts', ' || (outputs.has(written) && isOnDisk(court, written, name))', ''),
  ),
  rule(
    'pages are no outputs',
    holes('takes no page and no person for a file'),
    inGuard('judge/judge-own-paths.ts', ' && isOnDisk(court, written, name)'),
  ),
  rule(
    'the shell an argument names',
    holes('reads a command in the shell an argument names'),
    inGuard('judge/dialect.ts', "  visit(args, '', 0, said);\n"),
  ),
  rule(
    'a shell nobody knows',
    holes('reads a command in every shell where nobody knows the one it names'),
    inGuard('judge/dialect.ts', ' ? ALL : [];', ' ? [] : [];'),
  ),
  rule(
    'a POSIX shell that obeys no argument',
    holes('reads it as a POSIX shell would besides'),
    inGuard(
      'judge/judge.ts',
      "orPosix ? partIn(court, commands, cwds, 'posix') : undefined",
      'undefined as Part | undefined',
    ),
  ),
  rule(
    'a tool named for bash stays one',
    holes('counts what cannot be told in a tool that is named for bash'),
    inGuard(
      'judge/dialect.ts',
      "  else if (words.some((word) => /^(?:bash|sh|zsh)$/.test(word))) said.add('posix');\n",
    ),
  ),
  rule(
    'hints add to a command',
    holes('reads a command as one although a hint calls it a path'),
    inGuard('judge/extract/paths.ts', "isHinted && known === 'other' ? 'path' : known", "isHinted ? 'path' : known"),
  ),
  rule(
    'hints add a path',
    holes('reads a body as a path besides where a hint calls it one'),
    inGuard('judge/extract/paths.ts', 'if (isHinted) visitHinted(found, item, known);'),
  ),
];
