// long: a table, like the one it belongs to: the rules that closed holes outside the shell, and those of the doors.
import { SECOND_RULES } from './guard-second-rules.mjs';
import { THIRD_RULES } from './guard-third-rules.mjs';

const SRC = 'packages/guard/src/';

const inGuard = (file, find, replace = '') => ({ file: SRC + file, find, replace });
const rule = (name, test, ...edits) => ({ rule: `guard: ${name}`, edits, test });
const holes = (name) => ({ file: 'tests/red/guard-holes.test.ts', name });

const inCli = (file, find, replace = '') => ({ file: `apps/cli/src/${file}`, find, replace });
const projects = (name) => ({ file: 'apps/cli/src/compose/request-judges.test.ts', name });

export const HOLE_RULES = [
  rule(
    'the policy file by its path',
    holes('is never written, moved or deleted, by any name and with its directory'),
    inGuard('judge/judge.ts', 'pathRules(policy.protect, place.policyFiles)', 'pathRules(policy.protect)'),
  ),
  rule(
    'the policy file is one file',
    holes('leaves files of that name elsewhere alone'),
    inGuard(
      'judge/judge.ts',
      'pathRules(policy.protect, place.policyFiles)',
      "pathRules([...policy.protect, ...place.policyFiles.map((path) => path.replace(/.*[/]/, ''))])",
    ),
  ),
  rule(
    'the policy file by what it is',
    holes('is known by what it is, and not by its name alone'),
    inGuard('judge/place.ts', 'return isOne ? { ...spot, isPolicyFile: true } : spot;', 'return spot;'),
  ),
  rule(
    'the files of projects that requests choose',
    projects('tightens what is judged for the header'),
    inCli(
      'compose/project-policies.ts',
      'return { policy: alsoTightened(policy, config.policy), problem: undefined };',
      'return unchanged;',
    ),
  ),
  rule(
    'what the own project tightens holds for every project',
    projects('keeps what the file of the own project tightens'),
    inCli('compose/project-policies.ts', 'policy: alsoTightened(policy, config.policy), problem', 'policy, problem'),
  ),
  rule(
    'the files of projects are read anew',
    projects('is read anew when it changes, comes and goes'),
    inCli('compose/project-policies.ts', 'known !== undefined && isStill(root, known.state)', 'known !== undefined'),
  ),
  rule(
    'the files of projects are looked at in every turn of the event loop',
    projects('is looked at once in a turn of the event loop, and seen to change in the next one'),
    inGuard('proxy/end-of-turn.ts', '  turn++;\n', ''),
  ),
  rule(
    'the judge at hand is one of the same policy',
    projects('is read anew when it changes, comes and goes'),
    inCli('compose/request-judges.ts', 'last?.by === by && last.root === root', 'last?.root === root'),
  ),
  rule(
    'the judge at hand is one for the same agent',
    projects('is judged by for each agent as the policy has it for that one, one after the other'),
    inCli(
      'compose/request-judges.ts',
      ' && last.agent === agent && last.model === model) return last',
      ') return last',
    ),
  ),
  rule(
    'a file of a project that comes is seen',
    projects('is seen to change, come and go also where nothing changed for a while'),
    inCli('compose/project-policies.ts', ' || !isSame(lookAt(root), dir)) return false', ') return false'),
  ),
  rule(
    'a file of a project that is written anew is seen',
    projects('is seen to change, come and go also where nothing changed for a while'),
    inCli(
      'compose/project-policies.ts',
      'return file === undefined || isSame(lookAt(join(root, CONFIG_FILE)), file);',
      'return true;',
    ),
  ),
  rule(
    'a file of a project behind a link that led nowhere is seen',
    projects('is seen to change, come and go also where nothing changed for a while'),
    inCli(
      'compose/project-policies.ts',
      "return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : 'unsettled';",
      'return lstatSync === undefined ? undefined : undefined;',
    ),
  ),
  rule(
    'a broken file of a project blocks',
    projects('blocks with the reason where it cannot be used, also where all else is off or only tried'),
    inCli(
      'compose/request-judges.ts',
      "problem === undefined ? found : { ...found, enabled: true, mode: 'enforce' }",
      'found',
    ),
  ),
  rule(
    'a file of a project only tightens',
    { file: SRC + 'policy/load-policy.test.ts', name: 'loosens nothing, and is named: enabled: false' },
    inGuard('policy/project-policy.ts', "key !== 'remote' && isTight(field, value)", "key !== 'remote'"),
  ),
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
  ...SECOND_RULES,
  ...THIRD_RULES,
];
