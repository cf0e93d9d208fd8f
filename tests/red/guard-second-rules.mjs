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

export const SECOND_RULES = [
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
];
