// Mutations of the guard that stop reading too early: each names the test that must then fail.
const JUDGE = 'packages/guard/src/judge/';

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const GUARD_LIMIT_RULES = [
  {
    rule: 'guard: a list of too many paths is not judged as one path',
    edits: [
      {
        file: `${JUDGE}spellings.ts`,
        find: 'if (isLongList(text)) return',
        replace: 'if (isLongList(text) && text === undefined) return',
      },
    ],
    test: { file: `${JUDGE}spellings.test.ts`, name: 'of a list of paths are all its paths' },
  },
  {
    rule: 'guard: a subscript is followed through all variables',
    edits: [
      {
        file: `${JUDGE}extract/shell/subscripts.ts`,
        find: 'if (seen.has(name)) continue;',
        replace: 'if (seen.has(name) || seen.size >= 4) continue;',
      },
    ],
    test: { file: `${JUDGE}extract/shell/subscripts.test.ts`, name: 'subscripts: cannot tell what is written' },
  },
  {
    rule: 'guard: a long subscript is not read in part',
    edits: [
      {
        file: `${JUDGE}extract/shell/subscripts.ts`,
        find: 'if (left < 0) return undecidable(TOO_LONG);',
        replace: 'if (left < 0) return;',
      },
    ],
    test: { file: `${JUDGE}extract/shell/subscripts.test.ts`, name: 'subscripts: cannot tell what is written' },
  },
  {
    rule: 'guard: find deletes every name',
    edits: [
      {
        file: `${JUDGE}extract/shell/tools/find.ts`,
        find: '&& !/[\\s/\\uE000-\\uE001]/.test(name))',
        replace: '&& !/[\\s/\\uE000-\\uE001]/.test(name)).slice(0, 4)',
      },
    ],
    test: { file: `${JUDGE}extract/shell/tools/find.test.ts`, name: 'finds the last of many names' },
  },
  {
    rule: 'guard: xargs passes every name',
    edits: [
      {
        file: `${JUDGE}extract/shell/tools/find.ts`,
        find: ".filter((piece) => piece !== '')",
        replace: ".filter((piece) => piece !== '').slice(0, 64)",
      },
    ],
    test: { file: `${JUDGE}extract/shell/tools/find.test.ts`, name: 'finds the last of many names' },
  },
  {
    rule: 'guard: a command whose redirection fails does not run',
    edits: [
      {
        file: `${JUDGE}extract/shell/call.ts`,
        find: '  const { failure } = result;\n',
        replace: '  const { failure } = result;\n  if (before !== undefined) return result;\n',
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'where a redirection may fail' },
  },
  {
    rule: 'guard: exit with other arguments than a status does not end a command line',
    edits: [
      {
        file: `${JUDGE}extract/shell/builtins.ts`,
        find: 'if (others.length > 0 || (',
        replace: 'if (others.length > 99 && (',
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'not that of a builtin' },
  },
  {
    rule: 'guard: a program with the name of a builtin changes nothing in the shell',
    edits: [
      {
        file: `${JUDGE}extract/shell/dispatch.ts`,
        find: 'withoutGlobMarks(call.command.value) !== name',
        replace: 'name === undefined',
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'not that of a builtin' },
  },
  {
    rule: 'guard: cd with other words than one directory may fail',
    edits: [
      {
        file: `${JUDGE}extract/shell/directory-builtins.ts`,
        find: 'if (isPlain(call)) return',
        replace: 'if (call !== undefined) return',
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'may fail by its form' },
  },
  {
    rule: 'guard: mkdir makes no directory where a file is',
    edits: [
      {
        file: `${JUDGE}extract/shell/placed-files.ts`,
        find: 'if (made.some((dir) => state.isFile?.(dir) === true)) continue;',
        replace: '',
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'may fail by its form' },
  },
  {
    rule: 'guard: a directory that was removed is not there',
    edits: [
      {
        file: `${JUDGE}extract/shell/dispatch.ts`,
        find: '    forgetMade(call);\n',
        replace: '',
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'may fail by its form' },
  },
  {
    rule: 'guard: exec and an option that builtin or command lacks change no directory for certain',
    edits: [
      {
        file: `${JUDGE}extract/shell/wrappers.ts`,
        find: "(call.name === 'builtin' && args[0] === inner[0])",
        replace: "call.name === 'exec' || call.name === 'builtin'",
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'may fail by its form' },
  },
  {
    rule: 'guard: mkdir without -p makes nothing where the parent is missing',
    edits: [
      {
        file: `${JUDGE}extract/shell/placed-files.ts`,
        find: 'if (makesParents || ',
        replace: 'if (made.length > 0 || ',
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'may fail by its form' },
  },
  {
    rule: 'guard: export may fail',
    edits: [
      {
        file: `${JUDGE}extract/shell/variable-builtins.ts`,
        find: 'failure: mayFail ? state : undefined',
        replace: 'failure: undefined',
      },
    ],
    test: { file: `${JUDGE}extract/shell/read-command.test.ts`, name: 'not that of a builtin' },
  },
  {
    rule: 'guard: a path of many components is compared without running out of stack',
    edits: [
      {
        file: `${JUDGE}protect.ts`,
        find: 'open.push(r, n + 1, own);',
        replace: 'if (n > 9_999) throw new RangeError();\n        open.push(r, n + 1, own);',
      },
    ],
    test: { file: `${JUDGE}protect.test.ts`, name: 'is compared with the rules without running out of stack' },
  },
  {
    rule: 'guard windows: cmd takes several options in one word',
    edits: [
      {
        file: `${JUDGE}extract/shell/other-shells.ts`,
        find: 'args.findIndex((arg) => RUN.test(arg.value))',
        replace: 'args.findIndex((arg) => /^[/\\\\]+[ckr]/i.test(arg.value))',
      },
    ],
    test: { file: `${JUDGE}extract/shell/other-shells.test.ts`, name: 'other shells: finds what is written by' },
  },
  {
    rule: 'guard windows: a backslash separates the names of a path with a wildcard',
    edits: [
      {
        file: `${JUDGE}judge-shell-path.ts`,
        find: '/^(?:[A-Za-z]:|\\\\)/.test(write.path)',
        replace: "write.path === ''",
      },
      { file: `${JUDGE}judge-shell-path.ts`, find: 'driveOf(write.path)', replace: "'.'" },
    ],
    test: {
      file: `${JUDGE}judge-shell-path.test.ts`,
      name: 'may not match a file of Windows outside of the project',
    },
  },
  {
    rule: 'guard: a comment of a stream may be a line of a JSON reply',
    edits: [{ file: 'packages/guard/src/framing/sse-frame.ts', find: ' || hasQuote ||', replace: ' ||' }],
    test: {
      file: 'packages/guard/src/framing/sse-frame.test.ts',
      name: 'a comment that may be the rest of a JSON text',
    },
  },
  {
    rule: 'guard: a reply with several content types is not read as one of them',
    edits: [
      {
        file: 'packages/guard/src/proxy/judged-request.ts',
        find: "name.toLowerCase() === 'content-type').length > 1)",
        replace: "name.toLowerCase() === 'content-type').length > 9)",
      },
    ],
    test: {
      file: 'packages/guard/src/proxy/judged-request.test.ts',
      name: 'reads no content type if there are several',
    },
  },
  {
    rule: 'guard: replies below 400 are judged',
    edits: [
      {
        file: 'packages/guard/src/proxy/exchange.ts',
        find: 'if (status >= 400 || status === 304) return',
        replace: 'if (status >= 300) return',
      },
    ],
    test: { file: 'packages/guard/src/proxy/exchange.test.ts', name: 'is judged if its status is below 400' },
  },
  {
    rule: 'guard: a one-time code of the page opens it once',
    edits: [{ file: 'packages/guard/src/decisions/page-key.ts', find: ' || used.has(code.issued)', replace: '' }],
    test: { file: 'packages/guard/src/decisions/page-key.test.ts', name: 'exchanges each code once' },
  },
];
