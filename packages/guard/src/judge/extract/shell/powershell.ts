import type { Reader } from './call.ts';
import { CMDLETS, VERB } from './cmdlets.ts';
import { MAX_COMMANDS, TooLong } from './limits.ts';
import { ANY } from './marks.ts';
import { list, parameters, pathParameters, place } from './powershell-arguments.ts';
import { giveToCmdlet, giveValues, isWithoutPath } from './powershell-given.ts';
import { readLocation, readWsl } from './powershell-directory.ts';
import { noteComputed } from './powershell-computed.ts';
import { readMethods } from './powershell-methods.ts';
import { PUTS, putFiles } from './powershell-placed.ts';
import { type Session, HERE } from './powershell-session.ts';
import { subexpressions, type Token, tokenize, withPlainMarks, wordToken } from './powershell-tokens.ts';
import { readAssigned, readDriveVariable, setOnce } from './powershell-variables.ts';
import type { ShellState } from './state.ts';

const MAX_TEXT_DEPTH = 8;

/** Cmdlets that put files into the pipeline. */
const OPENS = /^(?:get-childitem|gci|ls|dir|get-item|gi|resolve-path|rvpa|convert-path|cvpa)$/;

/** Cmdlets that pass on their input, or part of it. */
const PASSES =
  /^(?:where-object|where|\?|sort-object|sort|select-object|select|foreach-object|foreach|%|tee-object|\$_?[\w.]*|-\w+|not)$/;

/** Functions, aliases and default parameter values, which change the meaning of later commands. */
const DEFINES =
  /(?:^|[\s;{(&|])(?:(?:function|filter)\s+[\w:-]+|(?:set-alias|new-alias|sal|nal|import-alias|ipal)\s)|PSDefaultParameterValues|\$\{?(?:function|alias):[^=;|\n]{0,200}=/i;

/** Texts that make code of text, or give access to the engine of PowerShell. */
const MAKES_CODE = [
  '-EncodedCommand',
  'FromBase64String',
  'ScriptBlock]::Create',
  'Reflection.Assembly',
  'ExecutionContext',
  'Environment]::CurrentDirectory',
];

const READERS = /^(?:get-content|gc|cat|type|select-string|sls|import-csv|get-filehash)$/;

const UNDECIDABLE =
  /^(?:invoke-expression|iex|invoke-command|icm|start-process|saps|start-job|sajb|add-type|register-scheduledtask|register-scheduledjob|new-service|set-service|set-executionpolicy|install-module|install-package|install-script|invoke-cimmethod|invoke-wmimethod|new-psdrive|subst|set-alias|sal|new-alias|nal|set-psdebug|import-module|ipmo|update-module|update-script|register-psrepository|register-wmievent|register-objectevent|register-engineevent|new-scheduledtask\w*|set-scheduledtask|enter-pssession|etsn|new-pssession|nsn|invoke-item|ii|set-variable|sv|set|new-variable|nv|start-threadjob|schtasks|sc\.exe|reg|regsvr32|rundll32|mshta|cscript|wscript|certutil|bitsadmin|wmic)$/;

/**
 * Reads a PowerShell text with its own tokenizer: cmdlets that write, redirections, static .NET methods.
 *
 * @param isGuess the text only looks like PowerShell
 */
export function readPowerShell(source: string, state: ShellState, reader: Reader, isGuess = false): void {
  readSource(source, state, reader, { depth: 0, isGuess });
}

interface Source {
  readonly depth: number;
  readonly isGuess: boolean;
}

function readSource(text: string, state: ShellState, reader: Reader, { depth, isGuess }: Source): void {
  if (depth > MAX_TEXT_DEPTH) return reader.undecidable('Commands are nested too deeply.');
  const source = withPlainMarks(text);
  if (source.includes(ANY)) reader.undecidable('Commands are made from text that is not known.');
  for (const name of MAKES_CODE) {
    if (source.toLowerCase().includes(name.toLowerCase())) reader.undecidable(`PowerShell runs code made by ${name}.`);
  }
  readMethods(source, state, reader);
  if (DEFINES.test(source)) reader.undecidable('Names get another meaning for later commands.');
  const session: Session = {
    state,
    reader,
    variables: new Map<string, string>(),
    isSetOnce: setOnce(source),
    aliases: new Map(),
    depth,
    isDeep: false,
    isInvoked: false,
    fed: undefined,
  };
  let command: Token[] = [];
  let left = MAX_COMMANDS;
  const flush = (): void => {
    if (command.length > 0) {
      left -= 1;
      if (left < 0) throw new TooLong(`it runs more than ${MAX_COMMANDS} commands`);
      readCommand(command, session);
    }
    command = [];
  };
  const tokens = tokenize(source);
  for (const token of tokens) {
    if (token.isOperator && /^[;|&\n{}()]+$/.test(token.text)) {
      flush();
      if (/^(?:[;\n]|&&|\|\|)/.test(token.text)) session.fed = undefined;
      session.isInvoked = token.text === '&';
    } else command.push(token);
    if (token.isOperator && /^["']$/.test(token.written) && !isGuess) reader.undecidable('A quote is not closed.');
    // A comment may follow a variable, but not a word.
    if (/^\$[^'"]*<#/.test(token.written)) reader.undecidable('It is not known where a comment begins.');
  }
  flush();
  noteComputed(tokens, session.aliases, reader, isGuess);
  for (const inner of tokens.flatMap(subexpressions))
    readSource(inner, state.copy(), reader, { depth: depth + 1, isGuess });
}

function readCommand(tokens: readonly Token[], session: Session): void {
  const { state, reader, variables } = session;
  const words: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (!token.isOperator) words.push(token);
    else if (!/&\d$/.test(token.text)) {
      const target = tokens[at + 1];
      if (target !== undefined && !/^\$null$/i.test(target.text))
        reader.write(state, place(target.text, target.written, state, variables));
      at += 1;
    }
  }
  readDriveVariable(words, session);
  const assigned = readAssigned(words, session);
  if (assigned !== undefined) {
    if (/^[a-z]+-[a-z]+$/i.test(assigned[0]?.text ?? '')) readCommand(assigned, session);
    return;
  }
  const [word, ...args] = words;
  if (word === undefined) return;
  // `."rm"`: the dot runs what follows.
  const first = /^\.['"$]/.test(word.written) ? wordToken(word.written.slice(1)) : word;
  // `& 'C:\x.exe'` and `. .\x.ps1` run a program.
  if ((first.text === '&' || first.text === '.') && args.length > 0)
    return readCommand(args, Object.assign(session, { isInvoked: true }));
  const called = first.text
    .toLowerCase()
    .replace(/^.*\\(?=[a-z]+-[a-z]+$)/, '')
    .replace(/\.exe$/, '');
  const name = session.aliases.get(called) ?? called;
  // Without `&` or `.` before it, a variable begins an expression.
  if (name.startsWith('$')) {
    if (session.isInvoked) reader.undecidable('The command that runs is not known.');
    return;
  }
  if (OPENS.test(name)) {
    const { positions, named } = parameters(args);
    const paths = [
      ...named.filter((one) => /^(?:path|literalpath|lp)$/.test(one.name)).map((one) => one.value),
      ...positions.slice(0, 1),
    ];
    const isPart = named.some((one) => /^(?:f|fi\w*|inc\w*)$/.test(one.name));
    session.fed = paths.length > 0 ? paths : isPart ? [HERE] : 'open';
  } else if (!PASSES.test(name) && CMDLETS[name] === undefined) session.fed = 'open';
  if (/^(?:invoke-expression|iex)$/.test(name) && readExpression(args, session)) return;
  if (/^(?:set-alias|sal|new-alias|nal)$/.test(name) && noteAlias(args, session)) return;
  if (name === 'wsl') return readWsl(args, session);
  if (UNDECIDABLE.test(name)) reader.undecidable(`'${name}' runs code that may write anywhere.`);
  if (readLocation(name, args, session)) return;
  const cmdlet = CMDLETS[name];
  session.isDeep = args.some((arg) => !arg.isQuoted && /^-(?:r|re[a-z]*)$/i.test(arg.text));
  const { named, positions } = parameters(args);
  if (READERS.test(name)) {
    // The first text of `select-string` is the pattern.
    const isSecond = /^(?:select-string|sls)$/.test(name) && !named.some((one) => 'pattern'.startsWith(one.name));
    for (const token of [
      ...positions.slice(isSecond ? 1 : 0).slice(0, 1),
      ...named
        .filter((one) => /^(?:pa\w*|l\w*|ps\w*)$/.test(one.name) && !'pattern'.startsWith(one.name))
        .map((one) => one.value),
    ].flatMap((one) => list(one)))
      reader.read(state, place(token.text, token.written, state, variables));
  }
  if (cmdlet === undefined) {
    // A program may be named like a cmdlet (`pre-commit`), but without a cmdlet's verb.
    if (VERB.test(name)) giveToCmdlet(name, args, session);
    else
      reader.runWords(
        words.map((word) => place(word.text, word.written, state, variables)),
        state,
        undefined,
      );
    return;
  }
  if (/^(?:new-item|ni)$/.test(name)) readNewLink(named, session);
  const names = pathParameters(cmdlet[0]);
  const isNamed = named.filter((one) => names.some((full) => full.startsWith(one.name)));
  if (cmdlet[1].includes(0) && isWithoutPath(named, positions, session)) readFed(name, session);
  for (const one of isNamed)
    for (const path of list(one.value)) reader.write(state, place(path.text, path.written, state, variables));
  giveValues(
    name,
    named.filter((one) => !isNamed.includes(one)),
    session,
  );
  for (const position of cmdlet[1])
    for (const token of list(positions[position]))
      reader.write(state, place(token.text, token.written, state, variables));
  // `rm a b`, as in bash.
  if (/^(?:rm|del|mkdir|md|rmdir|rd)$/.test(name))
    for (const token of positions.slice(1)) reader.write(state, place(token.text, token.written, state, variables));
  if (/^(?:cp|copy|copy-item)$/.test(name) && positions.length > 2)
    reader.write(state, place(positions.at(-1)?.text ?? '', positions.at(-1)?.written ?? '', state, variables));
  if (PUTS.test(name)) putFiles(name, named, positions, session);
}

/** Reads the text of `iex 'text'`. @returns whether it is known. */
function readExpression(args: readonly Token[], session: Session): boolean {
  const { positions, named } = parameters(args);
  const text = [...named.filter((one) => /^com?m?/.test(one.name)).map((one) => one.value), ...positions];
  const [only] = text;
  if (only === undefined || text.length > 1 || (!only.isQuoted && !/^["'@]/.test(only.written))) return false;
  if (!only.written.startsWith("'") && /\$[\w{(]/.test(only.text)) return false;
  readSource(only.text, session.state, session.reader, { depth: session.depth + 1, isGuess: false });
  return true;
}

/** `Set-Alias q rm`: records the new meaning of the name. @returns whether it is known. */
function noteAlias(args: readonly Token[], session: Session): boolean {
  const { positions, named } = parameters(args);
  const left = [...positions];
  const name = named.find((one) => 'name'.startsWith(one.name))?.value ?? left.shift();
  const value = named.find((one) => 'value'.startsWith(one.name))?.value ?? left.shift();
  if (name === undefined || value === undefined || /[$(]/.test(value.text + name.text)) return false;
  const meant = value.text.toLowerCase();
  session.aliases.set(name.text.toLowerCase(), session.aliases.get(meant) ?? meant);
  return true;
}

/** `New-Item -ItemType SymbolicLink -Target x`: a later write through the link changes the target. */
function readNewLink(named: readonly { name: string; value: Token }[], session: Session): void {
  const kind = named.find((one) => /^(?:i\w*|ty\w*)$/.test(one.name))?.value.text ?? '';
  if (/^['"]?(?:file|directory|d|f)['"]?$/i.test(kind) || kind === '') return;
  for (const one of named)
    if (/^(?:ta\w*|v|va\w*)$/.test(one.name))
      session.reader.write(session.state, place(one.value.text, one.value.written, session.state, session.variables));
}

/** Handles a cmdlet that changes the files from the pipeline. */
function readFed(name: string, { state, reader, variables, fed }: Session): void {
  if (fed === undefined || fed === 'open') return reader.undecidable(`It is not known what '${name}' is given.`);
  for (const token of fed.flatMap((one) => list(one)))
    reader.write(state, place(token.text, token.written, state, variables));
}
