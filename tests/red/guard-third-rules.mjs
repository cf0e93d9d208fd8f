// long: a table, like the one it belongs to: the rules of the third review of the judge.
const rule = (name, test, ...edits) => ({
  rule: `guard: third: ${name}`,
  edits,
  test: { file: 'tests/red/guard-third.test.ts', name: test },
});
const bare = (name, test, find, replace = '') => ({
  rule: `guard: third: repository: ${name}`,
  edits: [{ file: 'packages/guard/src/judge/bare-repository.ts', find, replace }],
  test: { file: 'packages/guard/src/judge/bare-repository.test.ts', name: test },
});
const bareIn = (name, test, file, find, replace = '') => ({
  rule: `guard: third: repository: ${name}`,
  edits: [{ file: `packages/guard/src/judge/${file}.ts`, find, replace }],
  test: { file: 'packages/guard/src/judge/bare-repository.test.ts', name: test },
});
const judge = (file, find, replace = '') => ({ file: `packages/guard/src/judge/${file}.ts`, find, replace });
const shell = (file, find, replace = '') => judge(`extract/shell/${file}`, find, replace);

export const THIRD_RULES = [
  bare(
    'its settings',
    'keeps its settings and hooks to itself',
    "const OBEYED = ['config', 'config.worktree', 'hooks'] as const;",
    'const OBEYED: readonly string[] = [];',
  ),
  bare(
    'where its objects are',
    'keeps its settings and hooks to itself',
    "return name === 'commondir' || !this.#isThere(dir, written)",
    'return !this.#isThere(dir, written) && false',
  ),
  bare(
    'names nobody knows',
    'is filled with nothing whose names are not known',
    "return this.#isHead(dir) || isNearly ? 'the repository in this directory' : undefined;",
    'return undefined;',
  ),
  bareIn(
    'a wildcard in it',
    'is filled with nothing whose names are not known',
    'judge-shell',
    '  if (why !== undefined) return isProtected(write.written, write.path, why);\n',
  ),
  bareIn(
    'a link to it',
    'is reached under no other name',
    'extract/shell/writers',
    "reader.write(state, { value, written: field.written }, 'replaces');",
    'reader.write(state, { value, written: field.written });',
  ),
  bareIn('that it may go', 'may be removed', 'judge-path', 'glob !== undefined || removes ||', 'glob !== undefined ||'),
  bare(
    'a HEAD that makes one',
    'is not put together around config, whatever comes last',
    'if (name === HEAD && !BESIDE_HEAD',
    'if (name === HEAD || !BESIDE_HEAD',
  ),
  bare(
    'a directory that makes one',
    'is not put together around hooks/pre-commit, whatever comes last',
    "return name === 'commondir' || !this.#isThere(dir, written)",
    "return name === 'commondir'",
  ),
  bare(
    'several calls at once',
    'is not put together by the calls of one reply, judged before any of them ran',
    '      this.#note(dir, name);\n    }\n    return undefined;',
    '    }\n    return undefined;',
  ),
  bare(
    'settings that wait',
    'is not made where settings wait for it',
    'if (!isRepository && obeyed !== undefined) return',
    'if (!isRepository && obeyed === "") return',
  ),
  bare(
    'one that git made',
    'is known as soon as git has made it',
    "for (const name of [HEAD, 'objects', 'refs']) this.#note(dir, name);",
    '',
  ),
  bareIn(
    'one that is copied',
    'makes no other directory one by what is copied out of it',
    'extract/shell/writers',
    "        reader.write(state, target, 'repository');\n",
    '        {}\n',
  ),
  bare('ordinary heads', 'is nothing of an ordinary directory', 'return isLast && /^(?:head|', 'return /^(?:head|'),
  bareIn(
    'a list without git',
    'is none where git is not protected',
    'judge',
    "if (rules.match('.git/hooks/x') === undefined) return rules;",
    '',
  ),
  rule(
    'installers of hooks',
    'writes the hooks of the repository',
    shell(
      'tools/hook-installers',
      'reader.write(state, field(`${ROOT}/.git/hooks`',
      'void (field(`${ROOT}/.git/hooks`',
    ),
  ),
  rule(
    'versions behind names',
    'is known with a version behind its name',
    shell('dispatch', "    .replace(/(?<=\\w)(?:@|[=~<>!]=)[\\w.^~<>=*+-]*$/, '')"),
  ),
  rule(
    'git’s own names for others',
    'is known behind what git calls it',
    shell('tools/git', '  noteHooks(`git-${verb}`, inner);\n'),
  ),
  rule(
    'modules that install hooks',
    'is known as a module of Python',
    shell('tools/interpreters', "      noteHooks(module?.value ?? '', { ...call, args: rest });\n"),
  ),
  rule(
    'files of an installer',
    'is known by the files it lies in',
    shell('tools/interpreters', 'if (installer !== undefined)', 'if (installer === "")'),
  ),
  rule('who starts an installer', 'is known behind those who start it', shell('dispatch', '  noteLaunched(call);\n')),
  rule(
    'who starts tools',
    'is known behind a runner of tools and a chooser of package managers',
    shell('tools/packages', "if (name === 'uv' && verb === 'tool' && operands[1]?.value === 'run')", 'if (false)'),
  ),
  rule(
    'who chooses package managers',
    'is known behind a runner of tools and a chooser of package managers',
    shell('tools/packages', '    reader.runWords(operands, own, input);\n    return;\n', '    return;\n'),
  ),
  rule(
    'tools named for programs',
    'is given the words of its command line',
    judge('judge', '...(name.program === undefined ? [] : programLines(name.program, args)),', ''),
  ),
  rule(
    'options as an object',
    'is given the words of its command line',
    judge('program-tools', 'return optionsOf(value as Record<string, unknown>);', 'return undefined;'),
  ),
  rule(
    'a text for a program',
    'is given them as a text',
    judge('judge', "if (name.program !== undefined && name.kind !== 'shell')", 'if (false)'),
  ),
  rule(
    'a program by its namespace',
    'is one by its namespace, and with a verb in its name',
    judge(
      'program-tools',
      'return before !== undefined && (PROGRAMS.has(before) || WORDS.has(before)) ? [before] : undefined;',
      'return undefined;',
    ),
  ),
  rule('the package that is run', 'runs the package it is told', judge('program-tools', 'isPackage ? [value] :', '')),
  rule(
    'what is told to a program’s tool',
    'is told other things than words as well',
    judge(
      'program-tools',
      '(TOLD.test(plain) || !/^(?:other|loose|aim|goal|command|commands)$/.test(meaningOf(key)))',
      'false',
    ),
  ),
  rule(
    'a commit without a path',
    'commits without a path',
    judge('judge-own-paths', "if (!isFound && name.program?.[0] === 'git' && removes === false) return part;", ''),
  ),
  rule(
    'other machines',
    'may be written',
    shell('writers', 'if (isWritten && isThisMachine(hostOf(field)))', 'if (isWritten)'),
  ),
  rule(
    'this machine by another name',
    'is not this one by another name',
    shell('writers', 'if (isWritten && isThisMachine(hostOf(field)))', 'if (false)'),
  ),
  rule(
    'lists of ls',
    'that ls makes of wildcards holds what they stand for',
    shell('tools/names', "if (base === 'ls') return listedByLs(args);", ''),
  ),
  rule(
    'lists of directories',
    'that ls makes of directories is not known',
    shell(
      'tools/names',
      'return isDirect ? operands.map(({ value }) => value) : undefined;',
      'return operands.map(({ value }) => value);',
    ),
  ),
  rule(
    'versions that are pinned',
    'stands in a file of the project',
    shell('tools/packages', '    for (const file of pinned) reader.write(state, field(file, `${name} ${verb}`));\n'),
  ),
  rule(
    'unpackers',
    'by any program appears where it stands',
    shell('tools/extractors', "else reader.write(state, field('.', call.name), 'fills');", ''),
  ),
  rule(
    'unpacking with Python',
    'by Python appears where it stands',
    shell('tools/interpreters', "reader.write(state, to, 'fills');", 'reader.write(state, to);'),
  ),
  rule(
    'directories of an address',
    'or fetched into directories of its address has names nobody knows',
    shell('tools/network', "      '-x',\n      '--force-directories',\n"),
  ),
  rule(
    'settings of agents',
    'has its settings changed by a person',
    shell('tools/agent-settings', "reader.undecidable(`'${name} ${first}' changes the settings of an agent.`);", '{}'),
  ),
  rule(
    'the guard itself',
    'takes no guard away',
    shell('tools/agent-settings', "if (name === 'croft' &&", "if (name === 'x' &&"),
  ),
  rule(
    'agents at work',
    'does not work by itself',
    shell(
      'tools/agent-settings',
      "reader.undecidable(`'${name}' works by itself, with nobody judging what it does.`);",
      '{}',
    ),
  ),
  rule(
    'code for anybody',
    'in a language nobody knows is seen behind the options for it',
    shell('dispatch', '    noteCode(call);\n'),
  ),
  rule(
    'code for a script',
    'in a language nobody knows is seen behind the options for it',
    shell('tools/interpreters', '  noteCode({ ...call, args: operands.slice(1) });\n'),
  ),
  rule('words for code', 'is seen behind the words for it', shell('tools/told', '    rails: /^(?:r|runner)$/,\n')),
  rule(
    'plain code that is fed',
    'that is fed is read by what it may do',
    shell('tools/told', 'dc: /^[^!]*$/', 'dc: /^/'),
  ),
  rule(
    'programs of awk that are fed',
    'that is fed to awk or deno is read',
    shell('tools/awk', 'for (const program of input ?? [ANY]) readProgram', 'for (const program of []) readProgram'),
  ),
  rule(
    'programs of deno that are fed',
    'that is fed to awk or deno is read',
    shell('tools/interpreters', "if (verb.value === 'run' && rest.some((one) => one.value === '-'))", 'if (false)'),
  ),
  rule('expressions that rename', 'renames files', shell('writers', "if (name === 'rename' &&", "if (name === 'x' &&")),
  rule(
    'what a measurement prepares',
    'is run before a measurement',
    shell('wrappers', "if (call.name === 'hyperfine')", 'if (false)'),
  ),
  rule('keys', 'is where keys are made', shell('tools/files', "if (name === 'ssh-keygen' &&", "if (name === 'x' &&")),
  rule(
    'rings of keys',
    'is where keys are made',
    shell('tools/files', "reader.undecidable('gpg changes its own keys.');", '{}'),
  ),
  rule(
    'programs for every project',
    'is where programs for every project are put',
    shell(
      'tools/global-installs',
      "reader.undecidable(`'${name}' installs for every project.`);\n  otherProgram",
      '{}\n  otherProgram',
    ),
  ),
  rule(
    'moves of git',
    'move and remove as the programs of that name do',
    shell('tools/git', 'field(verb),', "field('true'),"),
  ),
  rule(
    'an editor for settings',
    'open their settings in an editor',
    shell('tools/git', "if (has('--edit', '-e') || operands[0]?.value === 'edit')", 'if (false)'),
  ),
  rule(
    'settings of others like git',
    'are told settings that name programs',
    shell('tools/git', 'if (sets) reader.undecidable(`A setting', 'if (sets && false) reader.undecidable(`A setting'),
  ),
  rule(
    'programs named like cmdlets',
    'run programs that are called like a cmdlet',
    shell('powershell', 'if (!VERB.test(name))', 'if (!/^[a-z]+-[a-z]+$/.test(name))'),
  ),
  rule(
    'what start starts',
    'start programs with options of their own',
    shell('cmd', 'rest.slice(options).map(', "rest.filter((text) => !text.startsWith('/')).map("),
    shell('cmd', "if (name === 'start' && inner.length > 1)", 'if (false)'),
  ),
  ...[
    ['.hg/hgrc', "  '**/.hg/hgrc',\n"],
    ['.jj/repo/config.toml', "  '**/.jj/repo/config.toml',\n"],
    ['mise.local.toml', "  '**/mise.*.toml',\n"],
    ['.mise/config.toml', "  '**/.mise/**',\n"],
    ['.devcontainer.json', "  '**/.devcontainer.json',\n"],
    ['.idea/watcherTasks.xml', "  '**/.idea/watcherTasks.xml',\n"],
    ['.continue/mcpServers/x.yaml', "  '**/.continue/mcpServers/**',\n"],
    ['.claude/skills/x/SKILL.md', "  '**/.claude/skills/**',\n"],
    ['.pdbrc', "  '**/.pdbrc',\n"],
    ['.Rprofile', "  '**/.Rprofile',\n"],
  ].map(([path, line]) =>
    rule(`protected: ${path}`, `has ${path}`, {
      file: 'packages/guard/src/policy/default-patterns.ts',
      find: line,
      replace: '',
    }),
  ),
  rule(
    'removal by any way',
    'is the same behind a function, a variable or another command',
    shell('writers', "REMOVES.test(name) || isMoved ? 'takes' : undefined", 'undefined'),
  ),
  rule('removal and more', 'may be written by the same line as well', judge('judge-shell', '      isWritten,\n')),
];
