// Mutations of the readers of PowerShell and cmd: each names the test that must then fail.
const JUDGE = 'packages/guard/src/judge/';

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const GUARD_WINDOWS_RULES = [
  {
    rule: 'guard windows: a list of PowerShell may have blanks at its commas',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-arguments.ts`,
        find: 'if (isNext && lists.length > 0)',
        replace: 'if (isNext && lists.length > 99)',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'finds what is written by' },
  },
  {
    rule: 'guard windows: each value of a list of PowerShell is a path',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-arguments.ts`,
        find: "if (!token.written.includes(',') ||",
        replace: "if (!token.written.includes(',,') ||",
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'finds what is written by' },
  },
  {
    rule: 'guard windows: PowerShell takes other dashes and quotes for the plain ones',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-tokens.ts`,
        find: 'if (!/[\\u0085\\u2013-\\u201e]/.test(source))',
        replace: 'if (source.length > 0)',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'finds what is written by' },
  },
  {
    rule: 'guard windows: words behind -- do not count as parameters of PowerShell',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-arguments.ts`,
        find: "if (token.written === '--')",
        replace: "if (token.written === '---')",
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-arguments.test.ts`, name: 'arguments' },
  },
  {
    rule: 'guard windows: a quoted word does not count as a parameter of PowerShell',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-arguments.ts`,
        find: 'PARAMETER.exec(token.written)',
        replace: 'PARAMETER.exec(token.text)',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'finds what is written by' },
  },
  {
    rule: 'guard windows: a cmdlet takes the path of a file in the pipeline',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell.ts`,
        find: 'cmdlet[1].includes(0) && isWithoutPath(',
        replace: 'cmdlet[1].includes(9) && isWithoutPath(',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'follows the files in the pipeline of' },
  },
  {
    rule: 'guard windows: a pipeline of PowerShell goes on in the next line',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-tokens.ts`,
        find: "last.text === '|' :",
        replace: "last.text === '' :",
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'follows the files in the pipeline of' },
  },
  {
    rule: 'guard windows: an unknown cmdlet may write its paths',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell.ts`,
        find: 'if (VERB.test(name)) giveToCmdlet(name, args, session);',
        replace: 'if (VERB.test(name)) return;',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/powershell-given.test.ts`,
      name: 'a cmdlet that the guard does not know may write',
    },
  },
  {
    rule: 'guard windows: an unknown parameter may hold a path that is written',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-given.ts`,
        find: '!OTHER_VALUES.test(one.name) &&',
        replace: 'name === one.name &&',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-given.test.ts`, name: 'a cmdlet that writes may write the value' },
  },
  {
    rule: 'guard windows: a braced variable of PowerShell with a drive is a file',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-variables.ts`,
        find: 'if (braced !== undefined ||',
        replace: 'if (name === undefined ||',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'finds what is written by' },
  },
  {
    rule: 'guard windows: PowerShell sets its own variables',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-variables.ts`,
        find: '!AUTOMATIC.test(name)',
        replace: "name !== ''",
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-variables.test.ts`, name: 'cannot tell what is written by' },
  },
  {
    rule: 'guard windows: a parameter may name the variable that it sets',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-variables.ts`,
        find: '!NAMES_VARIABLE.test(parameter)',
        replace: "parameter !== ''",
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-variables.test.ts`, name: 'cannot tell what is written by' },
  },
  {
    rule: 'guard windows: a member of a PowerShell variable is not its text',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-arguments.ts`,
        find: 'if (isBare &&',
        replace: 'if (!isBare &&',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell-variables.test.ts`, name: 'cannot tell what is written by' },
  },
  {
    rule: 'guard windows: a block may compute an argument of PowerShell',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-computed.ts`,
        find: "if (text === '{' &&",
        replace: "if (text === '' &&",
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/powershell-computed.test.ts`,
      name: 'makes a command that may write undecidable',
    },
  },
  {
    rule: 'guard windows: a quoted or computed member of PowerShell may write',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-computed.ts`,
        find: 'isUnknownMember(command.last) || ',
        replace: '',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/powershell-computed.test.ts`,
      name: 'makes a command that may write undecidable',
    },
  },
  {
    rule: 'guard windows: PowerShell starts in another directory with an option',
    edits: [
      {
        file: `${JUDGE}extract/shell/other-shells.ts`,
        find: 'if (/^w[do]/.test(option)',
        replace: 'if (/^w[xy]/.test(option)',
      },
    ],
    test: { file: `${JUDGE}extract/shell/other-shells.test.ts`, name: 'other shells: finds what is written by' },
  },
  {
    rule: 'guard windows: a list of PowerShell goes on in the next line',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-tokens.ts`,
        find: "last?.written.endsWith(',')",
        replace: "last?.written === ''",
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'finds what is written by' },
  },
  {
    rule: 'guard windows: a comment of PowerShell begins behind an operator',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-tokens.ts`,
        find: '(?<=^|[\\s;|&(){},])#',
        replace: '(?<=^|[\\s])#',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'finds what is written by' },
  },
  {
    rule: 'guard windows: a quote behind --% has no meaning',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-tokens.ts`,
        find: '(--%[ \\t]',
        replace: '(--%x[ \\t]',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'finds what is written by' },
  },
  {
    rule: 'guard windows: quotes in a subexpression are its own',
    edits: [
      {
        file: `${JUDGE}extract/shell/powershell-tokens.ts`,
        find: '\\\\$(?!\\\\()|\\\\$\\\\(${INNER}\\\\))*"',
        replace: '[$])*"',
      },
    ],
    test: { file: `${JUDGE}extract/shell/powershell.test.ts`, name: 'finds what is written by' },
  },
];
