import type { Command, HereDoc, Redirection, Word } from 'unbash';
import type { Input, Reader, Result } from './call.ts';
import { evaluateQuoted, evaluateValue, evaluateWord, type Expander, PIPE_FILE } from './evaluate-word.ts';
import { ANY, changeDirectory, type Field } from './marks.ts';
import type { ShellState } from './state.ts';

/**
 * Reads the redirections of a command: files that are read and written.
 *
 * @returns the input that they give the command.
 */
export function readRedirections(redirects: readonly Redirection[], reader: Reader, expander: Expander): Input {
  let input: Input;
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') input = hereDocument(redirect, expander);
    else if (redirect.target === undefined) reader.undecidable('A redirection has no target.');
    else if (redirect.type === 'HereString')
      input = evaluateValue(redirect.target, expander).map((text) => `${text}\n`);
    else {
      const fed = readRedirection(redirect.operator, redirect.target, reader, expander);
      if (fed !== undefined) input = fed;
    }
  }
  return input;
}

/** Whether one of the redirections may fail: the shell then does not run the command, and continues. */
export function mayFail(redirects: readonly Redirection[]): boolean {
  return redirects.some((redirect) => {
    if (redirect.type !== 'Redirect') return false;
    const text = redirect.target?.parts === undefined ? redirect.target?.value : undefined;
    return text !== '/dev/null' && !(/^[<>]&$/.test(redirect.operator) && /^(?:[0-2]|-)$/.test(text ?? ''));
  });
}

function hereDocument(redirect: HereDoc, expander: Expander): readonly string[] {
  const { body, delimiter, operator } = redirect;
  const isPlain = delimiter?.quoted === true || body.parts === undefined;
  const texts = isPlain ? [body.text] : evaluateQuoted(body.parts ?? [], expander);
  return operator === '<<-' ? texts.map((text) => text.replace(/^\t+/gm, '')) : texts;
}

function readRedirection(operator: string, target: Word, reader: Reader, expander: Expander): Input {
  const { state } = expander;
  let input: Input;
  for (const field of evaluateWord(target, expander).flat()) {
    if (operator === '<&' || (operator === '>&' && /^(?:\d+-?|-|\uE001)$/.test(field.value))) continue;
    if (operator === '<') {
      reader.read(state, field);
      input = contentOf(field, state);
      state.stdin = input === undefined ? field : undefined;
      continue;
    }
    reader.write(state, field);
    // `>!` in zsh means `>|` in bash.
    if (field.value.startsWith('!')) reader.write(state, { value: field.value.slice(1), written: field.written });
  }
  return input;
}

/**
 * The content of a file that becomes a command's input: known, made by another command, or the file's own (not
 * judged).
 */
function contentOf(field: Field, state: ShellState): Input {
  if (field.value === PIPE_FILE || field.value.includes(ANY)) return [ANY];
  const found = state.cwds.flatMap((cwd) => state.contents.get(changeDirectory(cwd, field.value)) ?? []);
  return found.length > 0 ? found : undefined;
}

/** Remembers the content that goes into a file: the same line may run the file later. */
export function withRedirectedOutput(
  node: Command,
  result: Result,
  cwds: readonly string[],
  expander: Expander,
): Result {
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
export function readZshTarget(node: Command, reader: Reader, expander: Expander): void {
  const at = node.suffix.findIndex((item) => item.type === 'Redirect' && item.target?.text === '!');
  const next = at === -1 ? undefined : node.suffix[at + 1];
  if (next?.type === 'Word')
    for (const field of evaluateWord(next, expander).flat()) reader.write(expander.state, field);
}
