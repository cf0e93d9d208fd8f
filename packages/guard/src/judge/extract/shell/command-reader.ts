import { type Assignment, type Command, type ParsedScript, parse, type Redirection, type Statement } from 'unbash';
import { readAssignment } from './assignments.ts';
import { type Input, joinInto, mayNotRun, plainResult, type Reader, type Result } from './call.ts';
import { dispatch } from './dispatch.ts';
import { evaluateWord, type Expander } from './evaluate-word.ts';
import { type Frame, Jumps } from './jumps.ts';
import { MAX_COMMANDS, TooLong } from './limits.ts';
import { ANY, emptied, type Field, withoutGlobMarks } from './marks.ts';
import type { Gathered } from './reading.ts';
import { mayFail, readRedirections, readZshTarget, withRedirectedOutput } from './redirections.ts';
import type { PathChange } from './shell-reading.ts';
import { type FunctionBody, joinOutcome, type ShellState, type Value } from './state.ts';

const MAX_DEPTH = 24;
const MAX_OUTPUTS = 8;
/** Builtins after which the assignments before them last, in some shells. */
const KEEPS_ASSIGNMENTS = /^(?::|\.|eval|export|readonly|set|shift|times|trap|unset|declare|typeset)$/;
/** Calls of a function in itself that are followed. */
const MAX_RECURSION = 3;

/**
 * Reads simple commands: words, assignments, redirections. `Interpreter` combines them: the class is abstract because a
 * simple command can contain a script (`$(…)`), which the subclass reads.
 */
export abstract class CommandReader implements Reader {
  readonly #gathered: Gathered;
  readonly #recorded = new WeakSet<Field>();
  readonly #running: FunctionBody[] = [];
  protected readonly jumps = new Jumps();
  #steps = 0;
  #depth = 0;

  constructor(gathered: Gathered) {
    this.#gathered = gathered;
  }

  write(state: ShellState, field: Field, use?: PathChange): void {
    if (field.value === '') return;
    this.#recorded.add(field);
    // `xargs` and similar programs read such a name as two words, without its quotes, or as an option (`-t/etc`).
    if (/\s\/|^(?:\.\/)*(?:["'\\]+|-[^/]*)\//.test(field.value) && !/^[A-Za-z]:|^\\/.test(field.value))
      this.undecidable('A program that gets a list of such names can read them as other names.');
    for (const value of [field.value, ...emptied(field.value)])
      for (const cwd of state.cwds) this.#gathered.write(cwd, { value, written: field.written }, use);
    // `.*` matches `..` in most shells.
    const up = field.value.replace(/(^|\/)\.\.?\uE002[^/]*/g, '$1..');
    if (up !== field.value)
      for (const cwd of state.cwds) this.#gathered.write(cwd, { value: up, written: field.written });
  }

  read(state: ShellState, field: Field): void {
    this.#recorded.add(field);
    if (field.value !== '') for (const cwd of state.cwds) this.#gathered.read(cwd, field);
  }

  give(state: ShellState, field: Field, to: string): void {
    this.#recorded.add(field);
    for (const cwd of state.cwds) this.#gathered.give(cwd, field, to);
  }

  link(state: ShellState, link: string, target: string): void {
    for (const cwd of state.cwds) this.#gathered.link(cwd, link, target);
  }

  isRecorded(word: Field): boolean {
    return this.#recorded.has(word);
  }

  undecidable(reason: string): void {
    this.#gathered.undecidable(reason);
  }

  end(kind: Frame, state: ShellState): void {
    this.jumps.end(kind, state);
  }

  leave(state: ShellState): void {
    this.#gathered.leave(state);
  }

  runText(texts: readonly string[], state: ShellState, isInShell = false): readonly string[] {
    if (!isInShell) state.becomeChild();
    const outputs = texts.map((text) => {
      if (text.includes(ANY)) this.undecidable('Commands are made from text that is not known.');
      return this.#deeper(() => this.#script(parse(withoutGlobMarks(text)), state));
    });
    return outputs.length === 1 ? (outputs[0] ?? [ANY]) : [ANY];
  }

  runFile(text: string, state: ShellState): readonly string[] {
    const run = (): Result => plainResult(state, this.runText([text], state, true));
    return joinInto(state, this.jumps.within('function', run)).output;
  }

  runWords(words: readonly Field[], state: ShellState, input: Input, isInShell = false): Result {
    this.step();
    for (const word of words) this.#recorded.add(word);
    return this.#deeper(() => dispatch(words, state, input, this, isInShell));
  }

  runFunction(name: string, args: readonly Field[], state: ShellState): Result | undefined {
    const bodies = state.functions.get(name)?.filter((body) => body !== undefined);
    if (bodies === undefined || bodies.length === 0) return undefined;
    if (bodies.some((body) => this.#running.filter((one) => one === body).length >= MAX_RECURSION)) {
      this.undecidable(`It is not known how often '${name}' calls itself.`);
      return plainResult(state, [ANY]);
    }
    return this.#deeper(() => {
      const { parameters, hidden } = state;
      state.parameters = args;
      state.hidden = new Map(hidden);
      const results = bodies.map((body) => {
        this.#running.push(body);
        const at = bodies.length === 1 ? state : state.copy();
        const result = this.jumps.within('function', () => this.node(body, at, undefined));
        this.#running.pop();
        return result;
      });
      const after = results
        .map(joinOutcome)
        .reduce((a, b) => (a !== undefined && b !== undefined ? (a.join(b), a) : (a ?? b)));
      after?.reveal(hidden);
      if (after !== undefined) after.parameters = parameters;
      return { success: after, failure: after, output: results.length === 1 ? (results[0]?.output ?? [ANY]) : [ANY] };
    });
  }

  #deeper<T>(run: () => T): T {
    if (this.#depth >= MAX_DEPTH) throw new Error('commands are nested too deeply');
    this.#depth += 1;
    try {
      return run();
    } finally {
      this.#depth -= 1;
    }
  }

  protected step(): void {
    this.#steps += 1;
    // A command counts twice: as a part of the script, and as words.
    if (this.#steps > 2 * MAX_COMMANDS) throw new TooLong(`it runs more than ${MAX_COMMANDS} commands`);
  }

  protected expander(state: ShellState): Expander {
    return {
      state,
      undecidable: (reason) => this.undecidable(reason),
      substitute: (script) => {
        if (script === undefined) return [ANY];
        const output = this.jumps.apart(() => this.#deeper(() => this.#script(script, state.copy())));
        return output.map((text) => text.replace(/\n+$/, ''));
      },
    };
  }

  #script(script: ParsedScript, state: ShellState): readonly string[] {
    const error = script.errors?.[0];
    if (error !== undefined) this.undecidable(`The command could not be parsed: ${error.message}`);
    const result = this.list(script.commands, state);
    joinInto(state, result);
    return result.output;
  }

  protected redirects(redirects: readonly Redirection[], state: ShellState): Input {
    return readRedirections(redirects, this, this.expander(state));
  }

  protected command(node: Command, state: ShellState, piped: Input): Result {
    const expander = this.expander(state);
    const assigned: [string, Value][] = [];
    let isRunning = false;
    for (const item of node.prefix) {
      if (item.type !== 'Assignment') continue;
      isRunning ||= /[$`]\(|`/.test(item.text);
      assigned.push(readAssignment(item, node.name === undefined, expander));
    }
    if (node.name === undefined) {
      this.redirects(node.redirects, state);
      return { success: state, failure: isRunning || mayFail(node.redirects) ? state : undefined, output: [''] };
    }
    let alternatives = evaluateWord(node.name, expander);
    for (const item of node.args) {
      const found = item.type === 'Word' ? evaluateWord(item, expander) : this.#argument(item, node.name.value, state);
      const [only, ...others] = found;
      // Appended in place: copying the words before it for each word would take quadratic time.
      if (only !== undefined && others.length === 0) for (const words of alternatives) words.push(...only);
      else alternatives = alternatives.flatMap((before) => found.map((fields) => [...before, ...fields]));
      if (alternatives.length > MAX_OUTPUTS * 2) {
        this.undecidable('The command has too many meanings.');
        // Every word that it may get, as one of them.
        alternatives = [alternatives.reduce((all, words) => [...all, ...words.filter((word) => !all.includes(word))])];
      }
    }
    const { stdin } = state;
    const own = this.redirects(node.redirects, state) ?? piped;
    const input = own ?? (state.stdin === undefined ? state.fed : undefined);
    readZshTarget(node, this, expander);
    const cwds = state.cwds;
    const saved = assigned.map(([name, value]) => {
      const before = state.variables.get(name);
      const isExported = state.exported.has(name);
      state.assign(name, value);
      state.exported.add(name);
      return [name, before, isExported] as const;
    });
    const before = mayFail(node.redirects) ? state.copy() : undefined;
    const ran = this.#eachMeaning(alternatives, state, input);
    const result = before === undefined ? ran : mayNotRun(ran, before);
    state.stdin = stdin;
    for (const end of new Set([result.success, result.failure])) {
      if (end !== undefined) end.stdin = stdin;
      // `exec < file` sets the input of all following commands.
      if (end !== undefined && isLasting(node)) end.fed = own ?? end.fed;
      for (const [name, value, isExported] of saved) {
        if (!isExported) end?.exported.delete(name);
        if (KEEPS_ASSIGNMENTS.test(node.name.value)) end?.mayBecome(name, value ?? [ANY]);
        else if (value === undefined) end?.variables.delete(name);
        else end?.variables.set(name, value);
      }
    }
    return withRedirectedOutput(node, result, cwds, expander);
  }

  #eachMeaning(alternatives: readonly Field[][], state: ShellState, input: Input): Result {
    const [first, ...others] = alternatives;
    if (others.length === 0) return this.runWords(first ?? [], state, input, true);
    const results = alternatives.map((words) => this.runWords(words, state.copy(), input, true));
    const ends = results.map(joinOutcome).filter((end) => end !== undefined);
    const [end = state, ...rest] = ends;
    for (const one of rest) end.join(one);
    return plainResult(end, [...new Set(results.flatMap((one) => one.output))].slice(0, MAX_OUTPUTS));
  }

  #argument(item: Assignment, command: string, state: ShellState): Field[][] {
    const lasts = /^(?:declare|typeset|local|export|readonly)$/.test(command);
    if (/^(?:declare|typeset|local)$/.test(command)) state.hide(item.name);
    const [name, value] = readAssignment(item, lasts, this.expander(state));
    if ('items' in value) return [[{ value: name, written: item.text }]];
    return value.map((one) => [{ value: `${name}=${one}`, written: item.text }]);
  }

  protected abstract list(statements: readonly Statement[], state: ShellState): Result;
  protected abstract node(node: Statement['command'] | FunctionBody, state: ShellState, input: Input): Result;
}

function isLasting({ name, args }: Command): boolean {
  return name?.value === 'exec' && args.length === 0;
}
