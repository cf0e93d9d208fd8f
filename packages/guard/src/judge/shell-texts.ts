import { wordsOf } from './words.ts';

/** Arguments of a shell tool that hold commands or typed input, in addition to those with `command` in their name. */
const TYPED =
  /^(?:script|scripts|input|inputtext|code|chars|keys|key|stdin|text|data|line|lines|args|arguments|argv|program|run|exec|shellline|value|q|query)$/;
/** Arguments next to a command that describe it to people or to the client. */
const PROSE_KEYS =
  /^(?:description|explanation|reason|justification|title|summary|note|notes|message|thought|comment|prompt|id|name|session|sessionid|shell|shelltype|type|mode|language|timeout|blocking|dirpath|directory|cwd|workdir|workingdirectory|dir|path|status|env|environment|interpreter|executable|sandboxpermissions|login|prefixrule)$/;

/**
 * The texts that a shell tool runs or types, apart from arguments named `command`. If no argument has such a name
 * either, every text counts that is not a description.
 */
export function shellTexts(args: unknown, hasCommand: boolean): readonly (string | readonly string[])[] {
  const typed: (string | readonly string[])[] = [];
  const rest: string[] = [];
  const visit = (value: unknown, key: string, depth: number): void => {
    if (typeof value === 'string') {
      if (value === '') return;
      if (TYPED.test(key)) typed.push(value);
      else if (!PROSE_KEYS.test(key)) rest.push(value);
    } else if (Array.isArray(value)) {
      const words = value.filter((item) => typeof item === 'string');
      if (words.length === value.length && words.length > 0 && TYPED.test(key)) typed.push(words, ...words);
      else for (const item of value) visit(item, key, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [inner, item] of Object.entries(value)) visit(item, wordsOf(inner).join(''), depth + 1);
    }
  };
  if (typeof args === 'string') return [args];
  visit(args, '', 0);
  if (!hasCommand) return (typed.length > 0 ? typed : rest).filter((text) => !isKeyPress(text));
  // `command` with `args` is one command that was joined already; typed input is separate.
  return isSplit(args) ? [] : typed.filter((text) => !isKeyPress(text));
}

/** Whether a text is a key press such as Ctrl-C, Ctrl-D or Enter, which names no file. */
function isKeyPress(text: string | readonly string[]): boolean {
  return typeof text === 'string' && /^(?:[\x00-\x1f\x7f]|\\u00[01][0-9a-f]|\\x[01][0-9a-f])+$/i.test(text);
}

/** Whether a text answers a question of a program. No shell or interpreter writes a file on such input. */
export function isPlainAnswer(text: string | readonly string[]): boolean {
  return typeof text === 'string' && /^\s*(?:y|yes|n|no|q|quit|exit|\d{1,9})?\s*$/i.test(text);
}

function isSplit(args: unknown): boolean {
  return (
    typeof args === 'object' &&
    args !== null &&
    Object.keys(args).some((key) => /^(?:args|argv|arguments)$/.test(key)) &&
    !Object.keys(args).some((key) => /^(?:script|input|inputtext|code|chars|stdin|text)$/.test(key))
  );
}
