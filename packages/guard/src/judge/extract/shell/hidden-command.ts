import type { Call } from './call.ts';
import { ANY, type Field, withValue, withoutGlobMarks } from './marks.ts';

/** Command names that are not ordinary words: if one is an operand, the rest is probably its command. */
const SURE =
  /^(?:rm|rmdir|unlink|shred|srm|rimraf|tee|dd|cp|mv|ln|touch|mkdir|mkfifo|chmod|chown|chgrp|truncate|sed|gsed|awk|gawk|tar|cpio|xargs|sudo|doas|pkexec|env|nohup|setsid|rsync|scp|curl|wget|git|(?:ba|z|da|k|a|mk|fi|c|tc|ya|o)?sh|busybox|nu|xonsh|elvish|pwsh|powershell|python[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|php|lua|sqlite3|ed|vim|vi|eval)$/;
const FOLLOWED = /^(?:--|exec|run|-c|-e|-x|-ex|-P|--command|--exec|--eval|--run|--pager|--cmd|-ic|-lc)$/;
/** Options whose value is text for people. */
const PROSE_OPTIONS =
  /^(?:-m|-t|-b|-F|--?(?:message|title|body|comment|description|desc|text|summary|subject|notes?|name|label|grep|pattern|query))$/;

/** Programs that never run an operand. */
const RUNS_NOTHING =
  /^(?:logger|notify-send|say|wall|write|whereis|whatis|apropos|info|tldr|cheat|figlet|cowsay|echo|printf|vitest|jest|playwright|cypress|mocha|ava)$/;

/**
 * An unknown program may run its operands (`systemd-inhibit rm x`, `concurrently 'rm x'`, `tool -- sh -c …`). Reads the
 * words as a command from the first one that names a command or that follows an option for one.
 */
export function hiddenCommand(call: Call, isKnown: (name: string) => boolean): void {
  const { args, state, input, reader, name } = call;
  if (RUNS_NOTHING.test(name)) return;
  let isRead = false;
  for (const [index, arg] of args.entries()) {
    const before = args[index - 1]?.value ?? '';
    if (PROSE_OPTIONS.test(before)) continue;
    const given = /^--?[\w:.-]+=([^]*)$/.exec(arg.value)?.[1];
    if (given !== undefined && PROSE_OPTIONS.test(/^[^=]*/.exec(arg.value)?.[0] ?? '')) continue;
    const one = given === undefined ? arg : withValue(arg, given);
    const text = withoutGlobMarks(one.value);
    if (/\s/.test(text)) {
      if (isCommand(text)) reader.runText([text.replace(/^\s*(?:shell|!|system)\s*/, '')], state.copy());
      continue;
    }
    if (isRead || given !== undefined || text === '' || text.startsWith('-')) continue;
    const base = baseOf(one);
    const follows = FOLLOWED.test(before);
    if (!SURE.test(base) && !(follows && (isKnown(base) || text.includes(ANY) || before === '--' || before === 'exec')))
      continue;
    isRead = SURE.test(base);
    reader.runWords(args.slice(index), state.copy(), input);
  }
}

function baseOf({ value }: Field): string {
  const text = withoutGlobMarks(value);
  return text.slice(text.lastIndexOf('/') + 1).toLowerCase();
}

/** Whether a word with blanks is a shell command, by the names its commands begin with. */
function isCommand(text: string): boolean {
  return text.split(/[;&|\n({`]+/).some((piece) => {
    const words = piece.trim().split(/\s+/).slice(0, 8);
    while (/^(?:\w+=\S*|!|shell|system|cd|exec|then|do|time)$/.test(words[0] ?? '')) words.shift();
    const base = (words[0] ?? '').replace(/^.*\//, '').replace(/^!/, '');
    return (SURE.test(base) && words.length > 1) || (/^(?:echo|printf|cat)$/.test(base) && piece.includes('>'));
  });
}
