// long: a table, like the one it belongs to: the rules of the second review of the shell.
const rule = (name, test, ...edits) => ({
  rule: `guard: reviewed: ${name}`,
  edits,
  test: { file: 'tests/red/guard-second.test.ts', name: test },
});
const shell = (file, find, replace = '') => ({
  file: `packages/guard/src/judge/extract/shell/${file}.ts`,
  find,
  replace,
});

const judge = (file, find, replace = '') => ({ file: `packages/guard/src/${file}.ts`, find, replace });

export const SECOND_RULES = [
  rule(
    'what comes through a named pipe',
    'takes nothing that comes through a named pipe for a script of the project',
    shell('dispatch', "name === 'mkfifo' || name === 'mknod'", 'false'),
  ),
  rule(
    'what is piped into a group',
    'feeds the shell in a group, a loop or a branch',
    shell('state', '  state.fed = input;\n'),
  ),
  rule(
    'what is piped into a function or a substitution',
    'feeds the shell that a function, a shell or a substitution starts',
    shell('command-reader', 'own ?? (state.stdin === undefined ? state.fed : undefined)', 'own'),
  ),
  rule(
    'what exec feeds',
    'feeds what stands behind an exec without a command',
    shell('command-reader', 'end.fed = own ?? end.fed;', 'end.fed = undefined;'),
  ),
  rule(
    'a file instead of what is piped',
    'feeds no group that is fed a file',
    shell('command-reader', 'own ?? (state.stdin === undefined ? state.fed : undefined)', 'own ?? state.fed'),
  ),
  rule(
    'what a process substitution reads',
    'feeds a process substitution with what nobody knows',
    shell(
      'evaluate-word',
      '  return inner === undefined ? undefined : parse(',
      '  return inner !== undefined ? undefined : parse(',
    ),
  ),
  rule(
    'the names of standard input',
    'is read by a shell under every name of its input',
    shell('shells', 'STANDARD_INPUT.test(first.value)', "first.value === '/dev/stdin'"),
  ),
  rule(
    'subscripts within an array',
    'may hold by its subscript what was given by one',
    shell('command-reader', 'items.map(withoutSubscript)', 'items'),
  ),
  rule(
    'an item given by a subscript',
    'may hold anywhere what one subscript was given',
    shell('command-reader', 'return looseItems(before, items, true);', 'return looseItems(before, items, false);'),
    shell('parameter', "at > 0 ? [texts[at - 1] ?? ''] : []", '[]'),
  ),
  rule(
    'arrays as zsh reads them',
    'counts from one in zsh, and is all of it by its name',
    shell('parameter', "at > 0 ? [texts[at - 1] ?? ''] : []", '[]'),
  ),
  rule(
    'a directory that was removed',
    'that is there may be gone once something was removed',
    shell('builtins', ' && !state.hasRemoved'),
  ),
  rule(
    'languages nobody reads',
    'is seen in languages that nobody reads here',
    shell('dispatch', '  noteTold(call);\n', ''),
  ),
  rule(
    'modules of Python that run code',
    'is seen behind a module of Python that runs it',
    shell('tools/interpreters', "    case 'timeit': {", "    case 'timeit-not': {"),
  ),
  rule(
    'a module right behind its option',
    'is seen where a module stands right behind its option',
    shell('tools/interpreters', 'given.args.flatMap(modulesApart)', 'given.args'),
  ),
  rule(
    'functions of make',
    'is seen in a variable of make',
    shell('tools/files', "reader.undecidable('A variable of make runs a command.');", 'return;'),
  ),
  rule(
    'programs of make',
    'is seen in a variable of make',
    shell('tools/files', '    hiddenCommand({ ...call, args: [withValue(operand, text)] }, () => false);\n', ''),
  ),
  rule(
    'pipes of an import',
    'is seen in what a database imports',
    shell('tools/databases', 'if (piped !== undefined) reader.runText', 'if (piped === rest) reader.runText'),
  ),
  rule(
    'the shell of entr',
    'is seen in the words that entr hands to a shell',
    shell('wrappers', "call.name === 'entr' &&", 'false &&'),
  ),
  rule(
    'uploads to the disk',
    'may be a file that is uploaded to',
    shell(
      'tools/network',
      'if (address !== undefined) reader.write(state, withValue(url, address));\n    else if',
      'if',
    ),
  ),
  rule(
    'a suffix with a slash',
    'may be the copies of a file that is edited',
    shell('tools/sed', 'if (suffix !== undefined)', 'if (suffix === "")'),
  ),
  rule(
    'where a program works',
    'may lie where a program is told to work',
    shell('tools/told', 'if (written !== undefined) for', 'if (written === undefined) for'),
  ),
  rule(
    'beside a manifest',
    'may lie beside the manifest',
    shell('tools/told', "if (name === 'cargo')", "if (name === '')"),
  ),
  rule(
    'verbs that write',
    'may be what a verb makes or rewrites',
    shell('tools/told', '=== true) givePaths(call);', '=== false) givePaths(call);'),
  ),
  rule(
    'maps of linkers',
    'may be the map of a linker',
    shell('tools/files', 'if (mapped?.[1] !== undefined)', 'if (mapped?.[1] === "")'),
  ),
  rule(
    'chdir of cmake',
    'may be made in the directory cmake changes to',
    shell('tools/files', "operands[0]?.value === 'chdir'", "operands[0]?.value === ''"),
  ),
  rule(
    'a bare parent',
    'may be a parent directory behind an equals sign',
    shell('given-paths', '\\.\\.(?=\\/|$)', '\\.\\.\\/'),
  ),
  rule(
    'starts from a file',
    'may start from places that a file names',
    shell('tools/find', "reader.undecidable('find takes the places it starts at from a file.');", 'void 0;'),
  ),
  rule(
    'wildcards in quotes',
    'are the programs own to expand',
    shell('writers', 'OWN_WILDCARDS.test(name) ? ownWildcards(field) : field', 'field'),
  ),
  rule(
    'a file .git',
    'is named by no file .git',
    judge('judge/judge-path', 'const glob = protect.match(`${path}/config.worktree`);', 'const glob = undefined;'),
  ),
  rule(
    'a common directory',
    'is named by no file in .git',
    judge('policy/default-patterns', "  '**/.git/commondir',\n", ''),
  ),
  rule(
    'the directory of a worktree',
    'is named by no file in .git',
    judge('policy/default-patterns', "  '**/.git/worktrees/*/commondir',\n", ''),
  ),
  rule(
    'the settings of a worktree',
    'is named by no file in .git',
    judge('policy/default-patterns', "  '**/.git/worktrees/*/config.worktree',\n", ''),
  ),
  rule(
    'a rebase that waits',
    'runs no commands of a rebase that waits',
    judge('policy/default-patterns', "  '**/git-rebase-todo',\n", ''),
  ),
  rule(
    'a separate repository',
    'is put under no other name',
    judge('judge/extract/shell/tools/git', 'if (places.length > 0) reader', 'if (places.length > 99) reader'),
  ),
  rule(
    'texts for a shell',
    'hands a text or words on to a shell',
    judge('judge/extract/paths', 'for (const item of handedOn(entries))', 'for (const item of handedOn([]))'),
  ),
  rule('steps', 'runs the steps of a workflow', judge('judge/extract/argument-keys', " cmdline run')", " cmdline')")),
];
