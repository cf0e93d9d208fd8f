// Mutations of the guard: each removes one rule of a judgement and names the test that must then fail.
const JUDGE = 'packages/guard/src/judge/';
const PROGRAM = `${JUDGE}program/`;

const inReading = (find, replace) => ({ file: `${PROGRAM}read-program.ts`, find, replace });
const inProgram = (name) => ({ file: `${PROGRAM}program-calls.test.ts`, name });
const inProperties = (name) => ({ file: `${PROGRAM}hidden-calls.test.ts`, name });

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const GUARD_RULES = [
  {
    rule: 'guard: a pattern of a project cannot hold the guard',
    edits: [
      {
        file: 'packages/guard/src/policy/tool-pattern.ts',
        find: 'stepsOf(source) > MAX_STEPS',
        replace: 'source === undefined',
      },
    ],
    test: { file: 'packages/guard/src/policy/tool-pattern.test.ts', name: 'which can take for ever' },
  },
  {
    rule: 'guard: set -e does not end a command line after a failed cd',
    edits: [{ file: `${JUDGE}extract/shell/state.ts`, find: '  success.join(failure);\n', replace: '' }],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'neither `set -e` nor `return`' },
  },
  {
    rule: 'guard: commands behind a return are read',
    edits: [
      {
        file: `${JUDGE}extract/shell/builtins.ts`,
        find: "['return', ({ state, reader }) => (reader.end('function', state), NOTHING)],",
        replace: "['return', () => ({ success: undefined, failure: undefined, output: NOTHING })],",
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'neither `set -e` nor `return`' },
  },
  {
    rule: 'guard: a patch does not change where a link points',
    edits: [{ file: `${JUDGE}extract/patch.ts`, find: 'if (LINK.test(line))', replace: 'if (line === undefined)' }],
    test: { file: `${JUDGE}extract/patch.test.ts`, name: 'show a link or a submodule in' },
  },
  {
    rule: 'guard: a wildcard does not lead outside through a link at any depth',
    edits: [
      {
        file: `${JUDGE}behind-links.ts`,
        find: 'if (left > 0 && place.isDirectory',
        replace: 'if (left < 0 && place.isDirectory',
      },
    ],
    test: { file: 'tests/guard/shell-writes.test.ts', name: 'through a link that a wildcard matches' },
  },
  {
    rule: 'guard: a program that names tools in another way than in a literal call is open',
    edits: [inReading('return GLOBALS.has(node.name) || TIMERS', 'return TIMERS')],
    test: inProperties('is never hidden by what surrounds it'),
  },
  {
    rule: 'guard: only a call with one literal argument is closed',
    edits: [inReading('return literal && toCall(name, literal.value);', 'return toCall(name, literal?.value);')],
    test: inProperties('is never hidden by what surrounds it'),
  },
  {
    rule: 'guard: a program that uses a computed member is open',
    edits: [
      inReading(
        "return name === undefined ? key.type !== 'PrivateIdentifier' :",
        'return name === undefined ? false :',
      ),
    ],
    test: inProgram('may be others than the source states'),
  },
  {
    rule: 'guard: a program that sets a property is open',
    edits: [
      inReading(
        "    case 'MemberExpression':\n      return true;",
        "    case 'MemberExpression':\n      return false;",
      ),
    ],
    test: inProgram('may be others than the source states'),
  },
  {
    rule: 'guard: a class that extends another makes a program open',
    edits: [inReading(' || node.superClass != null', '')],
    test: inProgram('may be others than the source states'),
  },
  {
    rule: 'guard: a program gets a text for a timer only if it is open',
    edits: [inReading(' || TIMERS.has(node.name);', ';')],
    test: inProgram('may be others than the source states'),
  },
  {
    rule: 'guard: a program with two readings is open',
    edits: [
      { file: `${PROGRAM}program-calls.ts`, find: 'module === undefined || !isSame || readings', replace: 'readings' },
    ],
    test: inProgram('may be others than the source states'),
  },
  {
    rule: 'guard: a program that only V8 accepts is open',
    edits: [
      {
        file: `${PROGRAM}program-calls.ts`,
        find: 'return isJavaScript(text) ? { calls: [], isOpen: true } : undefined;',
        replace: 'return undefined;',
      },
    ],
    test: inProgram('may be others than the source states'),
  },
  {
    rule: 'guard: a command for a named shell is not read as a program',
    edits: [
      {
        file: `${JUDGE}judge.ts`,
        find: 'name.words.some((word) => NAMED_SHELL.test(word)) ? undefined : programCalls(text)',
        replace: 'programCalls(text)',
      },
    ],
    test: { file: `${JUDGE}code-mode.test.ts`, name: 'is a command for a shell' },
  },
  {
    rule: 'guard: --output of every subcommand of git is written',
    edits: [
      {
        file: `${JUDGE}extract/shell/tools/git-outputs.ts`,
        find: 'values(ALWAYS, ...split(known.writes))',
        replace: 'values(...split(known.writes))',
      },
    ],
    test: { file: 'tests/guard/corpus.test.ts', name: 'shell-git-repositories: every hostile call' },
  },
  {
    rule: 'guard: the value of a PowerShell variable is expanded',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-variables.ts`,
        find: 'expanded(only.text, only.written, state, variables)',
        replace: 'only.text',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-variables.test.ts`, name: 'expands the variable in' },
  },
  {
    rule: 'guard: a PowerShell variable that is set again has no known value',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-variables.ts`,
        find: 'isSetOnce.has(name) &&',
        replace: '',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-variables.test.ts`, name: 'cannot tell what is written by' },
  },
  {
    rule: 'guard: the command behind the condition of cmd is read',
    edits: [{ file: `${JUDGE}extract/shell/cmd.ts`, find: "name === 'if' ? afterCondition(rest) : 0", replace: '0' }],
    test: { file: `${JUDGE}extract/shell/cmd.test.ts`, name: 'reads the command in' },
  },
  {
    rule: 'guard: the name of a built-in command of cmd ends before a dot or a slash',
    edits: [
      { file: `${JUDGE}extract/shell/cmd.ts`, find: '(BUILT_IN.exec(name) ?? PROGRAM.exec(name))', replace: 'null' },
    ],
    test: { file: `${JUDGE}extract/shell/cmd.test.ts`, name: 'finds the end of the name in' },
  },
  {
    rule: 'guard: a caret at the end of a line of cmd joins the next line',
    edits: [
      { file: `${JUDGE}extract/shell/cmd-tokens.ts`, find: 'at += Math.max(1, end.length);', replace: 'at += 1;' },
    ],
    test: { file: `${JUDGE}extract/shell/cmd-tokens.test.ts`, name: 'into commands and lines' },
  },
  {
    rule: 'guard: a changed part of a variable of cmd is not known',
    edits: [
      { file: `${JUDGE}extract/shell/cmd-place.ts`, find: "if (name === 'cd')", replace: "if (name.startsWith('cd'))" },
    ],
    test: { file: `${JUDGE}extract/shell/cmd-place.test.ts`, name: 'expands' },
  },
  {
    rule: 'guard: a variable of cmd may have any name',
    edits: [{ file: `${JUDGE}extract/shell/cmd-place.ts`, find: '/%([^%]+)%|', replace: '/%(\\w+)%|' }],
    test: { file: `${JUDGE}extract/shell/cmd-place.test.ts`, name: 'expands' },
  },
  {
    rule: 'guard: start of cmd runs a command in another directory',
    edits: [
      {
        file: `${JUDGE}extract/shell/cmd.ts`,
        find: 'own.cwds = own.cwds.map((cwd) => changeDirectory(cwd, cmdPlace(value, here).value));',
        replace: 'own.cwds = own.cwds;',
      },
    ],
    test: { file: `${JUDGE}extract/shell/cmd.test.ts`, name: 'reads the command in' },
  },
  {
    rule: 'guard: PowerShell has short names for changes of the directory',
    edits: [
      { file: `${JUDGE}extract/shell/powershell-directory.ts`, find: 'SHORT.exec(name)', replace: "SHORT.exec('')" },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-directory.test.ts`, name: 'follows the directory in' },
  },
  {
    rule: 'guard: the directory of PowerShell may be a named parameter',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-directory.ts`,
        find: '/^(?:pa\\w*|l\\w*|ps\\w*)$/.test(one.name)',
        replace: 'false',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-directory.test.ts`, name: 'follows the directory in' },
  },
  {
    rule: 'guard: the current directory of PowerShell is absolute',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-arguments.ts`,
        find: 'return currentDirectory(state.cwds)',
        replace: 'return state.cwds[0] ?? ANY',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-arguments.test.ts`, name: 'in the directory of the shell' },
  },
  {
    rule: 'guard: wsl runs a command in another directory',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-directory.ts`,
        find: "text === '--cd' && value !== undefined",
        replace: "text === '' && value !== undefined",
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-directory.test.ts`, name: 'reads the command of' },
  },
  {
    rule: 'guard: a line of data may begin behind a character that ends lines for some clients only',
    edits: [
      {
        file: 'packages/guard/src/framing/sse-frame.ts',
        find: 'stranger || hidesData ||',
        replace: 'stranger ||',
      },
    ],
    test: { file: 'packages/guard/src/framing/sse-frame.test.ts', name: 'is unclear with' },
  },
];
