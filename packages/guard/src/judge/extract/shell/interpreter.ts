import { type AndOr, type Command, type CommandNode, type CompoundList, type Pipeline, type Statement } from 'unbash';
import { type Input, isUnchanged, mayNotRun, plainResult, type Result } from './call.ts';
import { LoopReader } from './loop-reader.ts';
import { evaluateValue } from './evaluate-word.ts';
import { ANY } from './marks.ts';
import { orUnknown } from './or-unknown.ts';
import { mayFail } from './redirections.ts';
import { checkArithmetic } from './subscripts.ts';
import { type FunctionBody, isSame, joined, joinOutcome, type ShellState, whileFed } from './state.ts';
import { visitArithmetic } from './substitutions.ts';
import { visitSubstitutions, wordsOf } from './visit-substitutions.ts';

const MAX_OUTPUTS = 8;

/** Walks a parsed script and records what each command touches, without running anything. */
export class Interpreter extends LoopReader {
  protected list(statements: readonly Statement[], state: ShellState): Result {
    let output: readonly string[] = [''];
    let current = state;
    let result: Result = plainResult(state, output);
    for (const [index, statement] of statements.entries()) {
      // Also reads the commands after `exit`, in the state before it.
      if (index > 0) current = joinOutcome(result) ?? current;
      result = this.#statement(statement, current);
      output = append(output, result.output);
    }
    return { success: result.success, failure: result.failure, output };
  }

  #statement(statement: Statement, state: ShellState): Result {
    if (statement.background !== true) return this.node(statement.command, state, undefined);
    const { output } = this.jumps.apart(() => this.node(statement.command, state.copy(), undefined));
    return plainResult(state, output);
  }

  protected body(list: CompoundList, state: ShellState): Result {
    return this.list(list.commands, state);
  }

  protected node(node: Statement['command'] | FunctionBody, state: ShellState, input: Input): Result {
    this.step();
    const run = (): Result =>
      whileFed(state, input, () =>
        node.type === 'Command' ? this.command(node, state, input) : this.#group(node, state, input),
      );
    const result = orUnknown(run, plainResult(state, [ANY]), (reason) => this.undecidable(reason));
    if (node.type === 'Command' || node.type === 'Function')
      for (const end of new Set([result.success, result.failure])) if (end !== undefined) this.#runTraps(end);
    return result;
  }

  /** Reads the commands of `trap` in a state in which they may run. */
  #runTraps(state: ShellState): void {
    const { traps, trapped } = state;
    if (traps.length === 0 || (trapped !== undefined && isUnchanged(state, trapped))) return;
    state.traps = [];
    state.trapped = state.copy();
    for (const { text, isAtEnd } of traps) {
      const then = state.copy();
      this.runText([text], then, true);
      if (!isAtEnd && !isSame(state, then)) state.join(then);
    }
    state.traps = traps;
  }

  #group(node: Exclude<Statement['command'] | FunctionBody, Command>, state: ShellState, input: Input): Result {
    switch (node.type) {
      case 'AndOr':
        return this.#andOr(node, state);
      case 'Pipeline':
        return this.#pipeline(node, state, input);
      case 'CompoundList':
      case 'BraceGroup':
        return this.body(node.type === 'BraceGroup' ? node.body : node, state);
      case 'Subshell': {
        const inside = state.copy();
        const { output } = this.jumps.apart(() => this.body(node.body, inside));
        state.hasRemoved ||= inside.hasRemoved;
        for (const made of state.made) if (!inside.made.has(made)) state.made.delete(made);
        return plainResult(state, output);
      }
      case 'Redirected': {
        const { stdin } = state;
        const fed = this.redirects(node.redirects, state) ?? input;
        const before = mayFail(node.redirects) ? state.copy() : undefined;
        const ran = this.node(node.command, state, fed);
        const result = before === undefined ? ran : mayNotRun(ran, before);
        for (const end of [state, result.success, result.failure]) if (end !== undefined) end.stdin = stdin;
        return result;
      }
      case 'Function':
        // The name may be a known command that runs later (`cd`, `ls`), so the body is read when it is called.
        state.functions.set(
          node.name.value,
          state.readonly.has(node.name.value)
            ? [...new Set([...(state.functions.get(node.name.value) ?? []), node.body])]
            : [node.body],
        );
        return plainResult(state, ['']);
      case 'Coproc':
        return plainResult(state, this.jumps.apart(() => this.node(node.body, state.copy(), undefined)).output);
      default:
        return this.#compound(node, state);
    }
  }

  #compound(node: CommandNode, state: ShellState): Result {
    switch (node.type) {
      case 'If': {
        const ends: ShellState[] = [];
        let next: ShellState = state;
        for (const branch of [node, ...node.elif]) {
          const { success, failure } = this.body(branch.clause, next);
          const taken = (success ?? next).copy();
          ends.push(joinOutcome(this.body(branch.then, taken)) ?? taken);
          next = failure ?? next;
        }
        if (node.else !== undefined) next = joinOutcome(this.body(node.else, next)) ?? next;
        for (const end of ends) next.join(end);
        return this.#ended(state, next);
      }
      case 'For':
      case 'Select':
        return this.forEach(node, state);
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update])
          if (part !== undefined) {
            visitArithmetic(part, this.expander(state));
            checkArithmetic(wordsOf(part), state, (reason) => this.undecidable(reason));
          }
        return this.loop(state, (at) => this.body(node.body, at));
      case 'While':
        return this.loop(state, (at) => {
          const { success, failure } = this.body(node.clause, at);
          const [enters, leaves] = node.kind === 'until' ? [failure, success] : [success, failure];
          const after = leaves?.copy();
          const turn = this.body(node.body, enters ?? at);
          return plainResult(joined(joinOutcome(turn), after) ?? at, turn.output);
        });
      case 'Case': {
        evaluateValue(node.word, this.expander(state));
        const start = state.copy();
        let through: ShellState | undefined;
        for (const item of node.items) {
          for (const pattern of item.pattern) evaluateValue(pattern, this.expander(state));
          const branch = start.copy();
          if (through !== undefined) branch.join(through);
          const end = joinOutcome(this.body(item.body, branch)) ?? branch;
          through = item.terminator === ';;' ? undefined : end;
          state.join(end);
        }
        return plainResult(state, [ANY]);
      }
      case 'TestCommand':
      case 'ArithmeticCommand':
        visitSubstitutions(node, state, this.expander(state));
        if (node.type === 'ArithmeticCommand') checkArithmetic(node.body, state, (reason) => this.undecidable(reason));
        return plainResult(state, ['']);
      default:
        return plainResult(state, [ANY]);
    }
  }

  /** A compound command changes the state object it was given, so that its owner sees the changes. */
  #ended(state: ShellState, end: ShellState): Result {
    if (end !== state) Object.assign(state, end.copy());
    return plainResult(state, [ANY]);
  }

  #andOr(node: AndOr, state: ShellState): Result {
    let { success, failure, output } = this.node(node.commands[0] as AndOr['commands'][number], state, undefined);
    for (const [index, operator] of node.operators.entries()) {
      const command = node.commands[index + 1];
      if (command === undefined) break;
      const from = operator === '&&' ? success : failure;
      const skipped = operator === '&&' ? failure : success;
      // Read the command even if it seems unreachable: the exit status is not known well enough.
      const start = (from ?? state).copy();
      const result = this.node(command, start, undefined);
      output = append(output, from === skipped ? [ANY] : result.output);
      if (from === undefined) continue;
      if (operator === '&&') {
        success = result.success;
        failure = joined(skipped, result.failure);
      } else {
        success = joined(skipped, result.success);
        failure = result.failure;
      }
    }
    return { success, failure, output };
  }

  #pipeline(node: Pipeline, state: ShellState, input: Input): Result {
    if (node.commands.length === 1 && node.commands[0] !== undefined) {
      const { success, failure, output } = this.node(node.commands[0], state, input);
      const isNegated = node.prefixes.some((prefix) => prefix.type === 'Negation');
      return isNegated ? { success: failure, failure: success, output } : { success, failure, output };
    }
    let fed = input;
    for (const [index, command] of node.commands.entries()) {
      const isLast = index === node.commands.length - 1;
      const own = state.copy();
      const read = (): Result => this.node(command, own, fed);
      const result = isLast ? read() : this.jumps.apart(read);
      fed = result.output;
      // zsh runs the last command of a pipeline in the shell itself.
      if (isLast) {
        const after = joinOutcome(result);
        if (after !== undefined && !isSame(state, after)) state.join(after);
      }
    }
    return plainResult(state, fed ?? [ANY]);
  }
}

function append(before: readonly string[], more: readonly string[]): readonly string[] {
  if (before.length === 1 && before[0] === '') return more;
  if (more.length === 1 && more[0] === '') return before;
  const all = before.flatMap((start) => more.map((end) => (start.length + end.length > 65_536 ? ANY : start + end)));
  return all.length > MAX_OUTPUTS ? [ANY] : all;
}
