import { type Call, type Handler, plainResult, type Result } from './call.ts';
import { PIPE_FILE } from './evaluate-word.ts';
import { ANY, changeDirectory, STANDARD_INPUT } from './marks.ts';
import { givePath, givePaths } from './given-paths.ts';
import { parseOptions } from './options.ts';

/** Shells that run a text, a file, or their standard input. */
export const SHELLS: ReadonlyMap<string, Handler> = new Map<string, Handler>(
  [
    'sh',
    'bash',
    'zsh',
    'dash',
    'ksh',
    'ash',
    'fish',
    'mksh',
    'rbash',
    'csh',
    'tcsh',
    'yash',
    'osh',
    'posh',
    'oksh',
    'lksh',
  ]
    .map((name): [string, Handler] => [name, runShell])
    .concat(['nu', 'xonsh', 'elvish', 'rc', 'es', 'ion', 'ysh'].map((name) => [name, runOther])),
);

/** Handles a shell with a different language, as far as it is like the others. */
function runOther(call: Call): Result {
  if (
    call.input !== undefined ||
    call.args.length === 0 ||
    call.args.some((arg) => /^-\w*c$|^--commands?\b/.test(arg.value))
  )
    call.reader.undecidable(`'${call.name}' runs commands in a language that the guard does not read.`);
  return runShell(call);
}

function runShell(call: Call): Result {
  const { args, state, input, reader } = call;
  const plain = args.filter((arg) => !/^\+[a-zA-Z]/.test(arg.value));
  const { operands, has, values, isOpen } = parseOptions(plain, {
    values: '-o -O --rcfile --init-file --init-command -C',
    stopsAtOperand: true,
  });
  for (const file of values('--rcfile', '--init-file')) {
    reader.read(state, file);
    reader.undecidable('The shell reads a start file of its own.');
  }
  for (const text of values('--init-command', ...(call.name === 'fish' ? ['-C'] : [])))
    reader.runText([text.value], state.copy());
  const own = state.copy();
  const [first, ...rest] = operands;
  if (has('-c', '--command')) {
    // The first operand after the text is `$0`.
    own.parameters = rest.slice(1);
    own.zeroth = rest[0] ?? call.command;
    if (first === undefined || isOpen) reader.undecidable('It is not known what the shell runs.');
    return plainResult(state, first === undefined ? [ANY] : reader.runText([first.value], own));
  }
  const isInput = first === undefined || has('-s') || first.value === '-' || STANDARD_INPUT.test(first.value);
  if (isInput) {
    if (input === undefined) {
      if (state.stdin !== undefined) givePath(call, state.stdin);
      else reader.leave(own);
      return plainResult(state, [ANY]);
    }
    return plainResult(state, reader.runText(input, own));
  }
  reader.read(state, first);
  if (first.value === PIPE_FILE || first.value.includes(ANY)) {
    reader.undecidable('The shell runs a text that is not known.');
    return plainResult(state, [ANY]);
  }
  for (const cwd of state.cwds) {
    const content = state.contents.get(changeDirectory(cwd, first.value));
    if (content === undefined) continue;
    own.parameters = rest;
    own.zeroth = first;
    return plainResult(state, reader.runText([content], own));
  }
  givePaths({ ...call, args: rest });
  return plainResult(state, [ANY]);
}
