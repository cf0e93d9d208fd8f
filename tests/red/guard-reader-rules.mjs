// Mutations of the reader of shell commands: each names the test that must then fail.
const JUDGE = 'packages/guard/src/judge/';

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const GUARD_READER_RULES = [
  {
    rule: 'guard reader: a part with too many meanings does not end the reading',
    edits: [
      {
        file: `${JUDGE}extract/shell/or-unknown.ts`,
        find: 'if (error instanceof TooLong) throw error;',
        replace: 'if (error instanceof Error) throw error;',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/or-unknown.test.ts`,
      name: 'a part of a command that has too many meanings is unknown, and the rest is read',
    },
  },
  {
    rule: 'guard reader: where a command ends a function or a loop is a way out',
    edits: [
      {
        file: `${JUDGE}extract/shell/jumps.ts`,
        find: 'if (ends.length < MAX_ENDS) ends.push(state.copy());',
        replace: 'if (ends.length < 0) ends.push(state.copy());',
      },
    ],
    test: { file: `${JUDGE}extract/shell/jumps.test.ts`, name: 'commands that end a function or a loop: finds' },
  },
  {
    rule: 'guard reader: return ends a file that the shell reads',
    edits: [
      {
        file: `${JUDGE}extract/shell/command-reader.ts`,
        find: "return joinInto(state, this.jumps.within('function', run)).output;",
        replace: 'return joinInto(state, run()).output;',
      },
    ],
    test: { file: `${JUDGE}extract/shell/jumps.test.ts`, name: 'commands that end a function or a loop: finds' },
  },
  {
    rule: 'guard reader: .. behind a link that the command makes',
    edits: [
      {
        file: `${JUDGE}extract/shell/reading.ts`,
        find: 'this.#follow(this.#writes);',
        replace: '',
      },
    ],
    test: { file: `${JUDGE}extract/shell/made-links.test.ts`, name: 'links that the command makes: finds' },
  },
  {
    rule: 'guard reader: a part of case may go on with the next',
    edits: [
      {
        file: `${JUDGE}extract/shell/interpreter.ts`,
        find: "through = item.terminator === ';;' ? undefined : end;",
        replace: "through = item.terminator === ';;' ? end : undefined;",
      },
    ],
    test: { file: `${JUDGE}extract/shell/loop-reader.test.ts`, name: 'loops: finds what is written by' },
  },
  {
    rule: 'guard reader: a loop may end after every turn',
    edits: [
      {
        file: `${JUDGE}extract/shell/loop-reader.ts`,
        find: 'state.join(first);',
        replace: 'state.join(state);',
      },
    ],
    test: { file: `${JUDGE}extract/shell/loop-reader.test.ts`, name: 'loops: finds what is written by' },
  },
  {
    rule: 'guard reader: a trap runs in every later state',
    edits: [
      {
        file: `${JUDGE}extract/shell/interpreter.ts`,
        find: 'if (traps.length === 0 ||',
        replace: 'if (traps.length >= 0 ||',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/variable-builtins.test.ts`,
      name: 'variables and functions: finds what is written by',
    },
  },
  {
    rule: 'guard reader: programs keep a name before .. that may become a link',
    edits: [
      {
        file: `${JUDGE}extract/shell/enter-directory.ts`,
        find: '? path : changeDirectory(cwd, value)',
        replace: '? changeDirectory(cwd, value) : changeDirectory(cwd, value)',
      },
    ],
    test: { file: `${JUDGE}extract/shell/made-links.test.ts`, name: 'links that the command makes: finds' },
  },
  {
    rule: 'guard reader: programs and cd -P follow links',
    edits: [
      {
        file: `${JUDGE}extract/shell/enter-directory.ts`,
        find: 'HAS_MARK.test(path) ? undefined : realPath?.(path);',
        replace: 'HAS_MARK.test(path) ? realPath?.(path) : undefined;',
      },
    ],
    test: { file: `${JUDGE}extract/shell/enter-directory.test.ts`, name: 'directories behind links: finds' },
  },
  {
    rule: 'guard reader: a shell that a program starts has its own names',
    edits: [
      {
        file: `${JUDGE}extract/shell/command-reader.ts`,
        find: 'if (!isInShell) state.becomeChild();',
        replace: 'if (texts.length > 99) state.becomeChild();',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/variable-builtins.test.ts`,
      name: 'variables and functions: finds what is written by',
    },
  },
  {
    rule: 'guard reader: a function may not be defined',
    edits: [
      {
        file: `${JUDGE}extract/shell/dispatch.ts`,
        find: 'return mayBeNone ? either(',
        replace: 'return mayBeNone && words.length > 99 ? either(',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/variable-builtins.test.ts`,
      name: 'variables and functions: finds what is written by',
    },
  },
  {
    rule: 'guard reader: an alias may not be expanded',
    edits: [
      {
        file: `${JUDGE}extract/shell/dispatch.ts`,
        find: 'return either(runFunction(text, words, state, input, reader), plainResult(own, output));',
        replace: 'return plainResult(own, output);',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/variable-builtins.test.ts`,
      name: 'variables and functions: finds what is written by',
    },
  },
  {
    rule: 'guard reader: what a local variable hides comes back',
    edits: [
      {
        file: `${JUDGE}extract/shell/state.ts`,
        find: 'if (hidden?.get(name) !== value) this.variables.set(',
        replace: 'if (hidden?.get(name) === undefined && name === value) this.variables.set(',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/variable-builtins.test.ts`,
      name: 'variables and functions: finds what is written by',
    },
  },
  {
    rule: 'guard reader: an empty text may be the start of a path',
    edits: [
      {
        file: `${JUDGE}extract/shell/marks.ts`,
        find: 'if (!value.includes(MAYBE)) return [];',
        replace: 'if (value.length > 0) return [];',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/variable-builtins.test.ts`,
      name: 'variables and functions: finds what is written by',
    },
  },
  {
    rule: 'guard reader: words are joined with IFS',
    edits: [
      {
        file: `${JUDGE}extract/shell/draft.ts`,
        find: 'words.join(set.slice(0, 1))',
        replace: "words.join(' ')",
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/variable-builtins.test.ts`,
      name: 'variables and functions: finds what is written by',
    },
  },
  {
    rule: 'guard reader: arithmetic sets variables',
    edits: [
      {
        file: `${JUDGE}extract/shell/subscripts.ts`,
        find: 'if (name !== undefined) state.mayBecome(name, [ATOM]);',
        replace: "if (name === '') state.mayBecome(name, [ATOM]);",
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/variable-builtins.test.ts`,
      name: 'variables and functions: finds what is written by',
    },
  },
  {
    rule: 'guard reader: the shell sets variables itself',
    edits: [
      {
        file: `${JUDGE}extract/shell/state.ts`,
        find: 'isFixed || SET_BY_SHELL.test(name) ?',
        replace: 'isFixed ?',
      },
    ],
    test: {
      file: `${JUDGE}extract/shell/variable-builtins.test.ts`,
      name: 'variables that the shell sets: cannot tell',
    },
  },
  {
    rule: 'guard reader: a group of extglob may match the directory above',
    edits: [
      {
        file: `${JUDGE}judge-shell-path.ts`,
        find: 'if (rest.some(mayGoUp))',
        replace: "if (rest.includes('..'))",
      },
    ],
    test: {
      file: `${JUDGE}judge-shell-path.test.ts`,
      name: 'may not be a group that matches the directory above',
    },
  },
];
