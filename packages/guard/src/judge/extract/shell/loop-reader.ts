import type { CommandNode, CompoundList } from 'unbash';
import { joinInto, plainResult, type Result } from './call.ts';
import { CommandReader } from './command-reader.ts';
import { evaluateWord } from './evaluate-word.ts';
import { ANY, type Field, GLOB } from './marks.ts';
import { isSame, sameValue, type ShellState } from './state.ts';

const MAX_TURNS = 32;

/** Reads loops: turn by turn, or for any number of turns. */
export abstract class LoopReader extends CommandReader {
  protected forEach(node: Extract<CommandNode, { type: 'For' | 'Select' }>, state: ShellState): Result {
    return joinInto(
      state,
      this.jumps.within('loop', () => this.#turns(node, state)),
    );
  }

  #turns(node: Extract<CommandNode, { type: 'For' | 'Select' }>, state: ShellState): Result {
    const name = node.name.value;
    const items: Field[] = [];
    if (node.wordlist === undefined) items.push(...(state.parameters ?? []));
    else {
      for (const word of node.wordlist) {
        const alternatives = evaluateWord(word, this.expander(state));
        for (const fields of alternatives) items.push(...fields);
      }
    }
    const values = [...new Set(items.map((item) => item.value))];
    if (values.length === 0) return plainResult(state, ['']);
    if (values.length > MAX_TURNS || node.type === 'Select') {
      if (values.length > MAX_TURNS) this.undecidable('A loop has too many turns to be followed.');
      state.assign(name, [ANY]);
      return this.loop(state, (at) => this.body(node.body, at));
    }
    const isOpen = values.some((value) => value.includes(GLOB) || value.includes(ANY));
    for (const value of values) {
      state.assign(name, [value]);
      const turn = (at: ShellState): Result => this.body(node.body, at);
      if (isOpen) this.loop(state, turn);
      else
        joinInto(
          state,
          this.jumps.within('loop', () => turn(state)),
        );
    }
    return plainResult(state, [ANY]);
  }

  /** A loop with any number of iterations: two are followed; values that still change then become unknown. */
  protected loop(state: ShellState, body: (at: ShellState) => Result): Result {
    return joinInto(
      state,
      this.jumps.within('loop', () => this.#repeat(state, body)),
    );
  }

  #repeat(state: ShellState, body: (at: ShellState) => Result): Result {
    const turn = (at: ShellState): Result => this.jumps.within('loop', () => body(at));
    const before = state.copy();
    joinInto(state, turn(state));
    if (isSame(before, state)) return plainResult(state, [ANY]);
    const first = state.copy();
    joinInto(state, turn(state));
    let isOpen = false;
    for (const [name, value] of state.variables) {
      if (sameValue(value, first.variables.get(name))) continue;
      state.mayBecome(name, [ANY]);
      isOpen = true;
    }
    if (!sameValue(first.cwds, state.cwds)) {
      state.cwds = [...new Set([...state.cwds, ANY])];
      isOpen = true;
    }
    if (isOpen) {
      const second = state.copy();
      joinInto(state, turn(state));
      state.join(second);
    }
    state.join(first);
    state.join(before);
    return plainResult(state, [ANY]);
  }

  protected abstract body(list: CompoundList, state: ShellState): Result;
}
