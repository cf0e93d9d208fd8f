import {
  type Assignment,
  type Command,
  type HereDoc,
  type ParsedScript,
  parse,
  type Redirection,
  type Statement,
  type Word,
} from 'unbash';
import { type Input, plainResult, type Reader, type Result } from './call.ts';
import { dispatch } from './dispatch.ts';
import { checkAssignment } from './environment.ts';
import {
  checkSubscript,
  evaluateQuoted,
  evaluateValue,
  evaluateWord,
  type Expander,
  PIPE_FILE,
} from './evaluate-word.ts';
import { ANY, changeDirectory, type Field, withoutGlobMarks } from './marks.ts';
import type { Gathered } from './reading.ts';
import type { PathChange } from './shell-reading.ts';
import { type FunctionBody, joinOutcome, type ShellState, type Value } from './state.ts';

const MAX_STEPS = 2000;
const MAX_DEPTH = 24;
const MAX_OUTPUTS = 8;

/** Reads simple commands: words, assignments, redirections. `Interpreter` combines them. */
export abstract class CommandReader implements Reader {
  readonly #gathered: Gathered;
  #steps = 0;
  #depth = 0;

  constructor(gathered: Gathered) {
    this.#gathered = gathered;
  }

  write(state: ShellState, field: Field, use?: PathChange): void {
    if (field.value === '') return;
    // `xargs` and similar programs read such a name as two words, without its quotes, or as an option (`-t/etc`).
    if (/\s\/|^(?:\.\/)*(?:["'\\]+|-[^/]*)\//.test(field.value) && !/^[A-Za-z]:|^\\/.test(field.value))
      this.undecidable('A program that gets a list of such names can read them as other names.');
    for (const cwd of state.cwds) this.#gathered.write(cwd, field, use);
    // `.*` matches `..` in most shells.
    const up = field.value.replace(/(^|\/)\.\.?\uE002[^/]*/g, '$1..');
    if (up !== field.value)
      for (const cwd of state.cwds) this.#gathered.write(cwd, { value: up, written: field.written });
  }

  read(state: ShellState, field: Field): void {
    if (field.value !== '') for (const cwd of state.cwds) this.#gathered.read(cwd, field);
  }

  give(state: ShellState, field: Field, to: string): void {
    for (const cwd of state.cwds) this.#gathered.give(cwd, field, to);
  }

  undecidable(reason: string): void {
    this.#gathered.undecidable(reason);
  }

  leave(state: ShellState): void {
    this.#gathered.leave(state);
  }

  runText(texts: readonly string[], state: ShellState): readonly string[] {
    const outputs = texts.map((text) => {
      if (text.includes(ANY)) this.undecidable('Commands are made from text that is not known.');
      return this.#deeper(() => this.#script(parse(withoutGlobMarks(text)), state));
    });
    return outputs.length === 1 ? (outputs[0] ?? [ANY]) : [ANY];
  }

  runWords(words: readonly Field[], state: ShellState, input: Input): Result {
    this.step();
    return this.#deeper(() => dispatch(words, state, input, this));
  }

  runFunction(name: string, args: readonly Field[], state: ShellState): Result | undefined {
    const bodies = state.functions.get(name);
    if (bodies === undefined) return undefined;
    return this.#deeper(() => {
      const { parameters } = state;
      state.parameters = args;
      const results = bodies.map((body) => this.node(body, state, undefined));
      const after = results
        .map(joinOutcome)
        .reduce((a, b) => (a !== undefined && b !== undefined ? (a.join(b), a) : (a ?? b)));
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
    if (this.#steps > MAX_STEPS) throw new Error('too many steps');
  }

  protected expander(state: ShellState): Expander {
    return {
      state,
      undecidable: (reason) => this.undecidable(reason),
      substitute: (script) => {
        if (script === undefined) return [ANY];
        const output = this.#deeper(() => this.#script(script, state.copy()));
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
    let input: Input;
    const expander = this.expander(state);
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') input = this.#hereDocument(redirect, expander);
      else if (redirect.target === undefined) this.undecidable('A redirection has no target.');
      else if (redirect.type === 'HereString')
        input = evaluateValue(redirect.target, expander).map((text) => `${text}\n`);
      else {
        const fed = this.#redirect(redirect.operator, redirect.target, state, expander);
        if (fed !== undefined) input = fed;
      }
    }
    return input;
  }

  #hereDocument(redirect: HereDoc, expander: Expander): readonly string[] {
    const { body, delimiter, operator } = redirect;
    const isPlain = delimiter?.quoted === true || body.parts === undefined;
    const texts = isPlain ? [body.text] : evaluateQuoted(body.parts ?? [], expander);
    return operator === '<<-' ? texts.map((text) => text.replace(/^\t+/gm, '')) : texts;
  }

  #redirect(operator: string, target: Word, state: ShellState, expander: Expander): Input {
    let input: Input;
    for (const field of evaluateWord(target, expander).flat()) {
      if (operator === '<&' || (operator === '>&' && /^(?:\d+-?|-|\uE001)$/.test(field.value))) continue;
      if (operator === '<') {
        this.read(state, field);
        input = this.#contentOf(field, state);
        state.stdin = input === undefined ? field : undefined;
        continue;
      }
      this.write(state, field);
      // `>!` in zsh means `>|` in bash.
      if (field.value.startsWith('!')) this.write(state, { value: field.value.slice(1), written: field.written });
    }
    return input;
  }

  /**
   * The content of a file that becomes a command's input: known, made by another command, or the file's own (not
   * judged).
   */
  #contentOf(field: Field, state: ShellState): Input {
    if (field.value === PIPE_FILE || field.value.includes(ANY)) return [ANY];
    const found = state.cwds.flatMap((cwd) => state.contents.get(changeDirectory(cwd, field.value)) ?? []);
    return found.length > 0 ? found : undefined;
  }

  protected command(node: Command, state: ShellState, piped: Input): Result {
    const expander = this.expander(state);
    const assigned: [string, Value][] = [];
    let isRunning = false;
    for (const item of node.prefix) {
      if (item.type !== 'Assignment') continue;
      isRunning ||= /[$`]\(|`/.test(item.text);
      assigned.push(this.#assignment(item, state, node.name === undefined));
    }
    if (node.name === undefined) {
      this.redirects(node.redirects, state);
      return { success: state, failure: isRunning ? state : undefined, output: [''] };
    }
    let alternatives = evaluateWord(node.name, expander);
    for (const item of node.args) {
      const found = item.type === 'Word' ? evaluateWord(item, expander) : this.#argument(item, node.name.value, state);
      alternatives = alternatives.flatMap((before) => found.map((fields) => [...before, ...fields]));
      if (alternatives.length > MAX_OUTPUTS * 2) throw new Error('a command has too many meanings');
    }
    const { stdin } = state;
    const own = this.redirects(node.redirects, state) ?? piped;
    const input = own ?? (state.stdin === undefined ? state.fed : undefined);
    this.#zshTarget(node, state);
    const cwds = state.cwds;
    const saved = assigned.map(([name, value]) => {
      const before = state.variables.get(name);
      state.assign(name, value);
      return [name, before] as const;
    });
    const result = this.#eachMeaning(alternatives, state, input);
    state.stdin = stdin;
    for (const end of new Set([result.success, result.failure])) {
      if (end !== undefined) end.stdin = stdin;
      // `exec < file` sets the input of all following commands.
      if (end !== undefined && isLasting(node)) end.fed = own ?? end.fed;
      for (const [name, value] of saved) {
        if (value === undefined) end?.variables.delete(name);
        else end?.variables.set(name, value);
      }
    }
    return this.#withRedirectedOutput(node, result, cwds, expander);
  }

  #eachMeaning(alternatives: readonly Field[][], state: ShellState, input: Input): Result {
    const [first, ...others] = alternatives;
    if (others.length === 0) return this.runWords(first ?? [], state, input);
    const results = alternatives.map((words) => this.runWords(words, state.copy(), input));
    const ends = results.map(joinOutcome).filter((end) => end !== undefined);
    const [end = state, ...rest] = ends;
    for (const one of rest) end.join(one);
    return plainResult(end, [...new Set(results.flatMap((one) => one.output))].slice(0, MAX_OUTPUTS));
  }

  /** Remembers the content that goes into a file: the same line may run the file later. */
  #withRedirectedOutput(node: Command, result: Result, cwds: readonly string[], expander: Expander): Result {
    const into = node.redirects.find(
      (r) =>
        r.type === 'Redirect' &&
        /^(?:>|>>|>\||&>)$/.test(r.operator) &&
        (r.descriptor?.type !== 'FileDescriptor' || r.descriptor.value === 1),
    );
    if (into?.type !== 'Redirect' || into.target === undefined) return result;
    const [text, ...others] = result.output;
    const isKnown = text !== undefined && others.length === 0 && !text.includes(ANY);
    const name = into.target.parts === undefined ? into.target.value : undefined;
    const target = name ?? evaluateValue(into.target, expander)[0];
    for (const state of new Set([result.success, result.failure])) {
      for (const cwd of cwds) {
        const path = changeDirectory(cwd, target ?? '');
        const before = into.operator === '>>' ? (state?.contents.get(path) ?? '') : '';
        if (isKnown) state?.contents.set(path, before + text);
        else state?.contents.delete(path);
      }
    }
    return { ...result, output: [''] };
  }

  /** `> ! file` is one redirection in zsh. */
  #zshTarget(node: Command, state: ShellState): void {
    const at = node.suffix.findIndex((item) => item.type === 'Redirect' && item.target?.text === '!');
    const next = at === -1 ? undefined : node.suffix[at + 1];
    if (next?.type === 'Word')
      for (const field of evaluateWord(next, this.expander(state)).flat()) this.write(state, field);
  }

  #assignment(item: Assignment, state: ShellState, isLasting: boolean): [string, Value] {
    const value = this.#valueOf(item, state);
    const reason = checkAssignment(item.name, 'items' in value ? value.items.map((one) => one.value) : value);
    if (reason !== undefined) this.undecidable(reason);
    if (isLasting) state.assign(item.name, value);
    return [item.name, value];
  }

  #valueOf(item: Assignment, state: ShellState): Value {
    const expander = this.expander(state);
    if (item.index !== undefined) checkSubscript(item.index, expander);
    const before = item.append === true || item.index !== undefined ? state.variables.get(item.name) : undefined;
    if (item.value.type === 'ArrayValue') {
      for (const { text } of item.value.elements) {
        const index = /^\[([^\]]*)\]=/.exec(text)?.[1];
        if (index !== undefined) checkSubscript(index, expander);
      }
      const items = item.value.elements.flatMap((word) => evaluateWord(word, expander).flat());
      return looseItems(
        before,
        items.map(withoutSubscript),
        items.some((one) => SUBSCRIPT.test(one.value)),
      );
    }
    const values = evaluateValue(item.value, expander);
    if (item.index !== undefined) {
      const items = values.map((value) => ({ value, written: item.text }));
      return looseItems(before, items, true);
    }
    if (item.append !== true) return values;
    if (before === undefined || 'items' in before) return [ANY];
    return before.flatMap((start) => values.map((value) => start + value)).slice(0, MAX_OUTPUTS);
  }

  #argument(item: Assignment, command: string, state: ShellState): Field[][] {
    const [name, value] = this.#assignment(item, state, /^(?:declare|typeset|local|export|readonly)$/.test(command));
    if ('items' in value) return [[{ value: name, written: item.text }]];
    return value.map((one) => [{ value: `${name}=${one}`, written: item.text }]);
  }

  protected abstract list(statements: readonly Statement[], state: ShellState): Result;
  protected abstract node(node: Statement['command'] | FunctionBody, state: ShellState, input: Input): Result;
}

function isLasting({ name, args }: Command): boolean {
  return name?.value === 'exec' && args.length === 0;
}

/** `[k]=v` among the words of an array; the bracket may be marked as a wildcard. */
const SUBSCRIPT = /^\uE002?\[[^\]]*\]\+?=/;

function withoutSubscript(item: Field): Field {
  return SUBSCRIPT.test(item.value) ? { ...item, value: item.value.replace(SUBSCRIPT, '') } : item;
}

/** Appends items to an array. */
function looseItems(before: Value | undefined, items: readonly Field[], isLoose: boolean): Value {
  if (before === undefined) return { items, isLoose };
  if ('items' in before) return { items: [...before.items, ...items], isLoose: isLoose || before.isLoose === true };
  // A plain variable is the first item.
  return { items: [...before.map((value) => ({ value, written: value })), ...items], isLoose: true };
}

/** Changes the given state in place to the state after a command. */
export function joinInto(state: ShellState, result: Result): Result {
  const end = joinOutcome(result);
  if (end !== undefined && end !== state) Object.assign(state, end.copy());
  return plainResult(state, result.output);
}
