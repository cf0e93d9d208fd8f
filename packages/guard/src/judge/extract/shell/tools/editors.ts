import type { Call, Handler } from '../call.ts';
import { ANY, type Field, field, withValue } from '../marks.ts';
import { parseOptions } from '../options.ts';

/** Editors: the files they open count as written, as do the files that their commands write. */
export const EDITOR_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...['vi', 'vim', 'nvim', 'ex', 'gvim', 'rvim', 'vimdiff', 'view'].map((name): [string, Handler] => [name, runVim]),
  ['ed', runEd],
  ['red', runEd],
]);

function runVim({ args, state, input, reader, name }: Call): undefined {
  // With `-e` (and in `ex`) `-s` is a switch; otherwise it names a script.
  const isScripted = name === 'ex' || args.some((arg) => /^-[a-zA-Z]*[eE]/.test(arg.value));
  const { operands, values, has } = parseOptions(args, {
    values: `${isScripted ? '' : '-s '}-c -S -u -U -i -w -W -t -T --cmd --startuptime --servername --remote-expr --remote-send`,
  });
  for (const file of values('-w', '-W', '-i', '--startuptime')) reader.write(state, file);
  for (const file of values('-S', '-u', ...(isScripted ? [] : ['-s']))) {
    reader.read(state, file);
    if (!/^(?:NONE|DEFAULTS|NORC|\/dev\/null)$/.test(file.value)) reader.undecidable('The editor runs a script.');
  }
  for (const text of values('-c', '--cmd')) readCommands(text, state, reader);
  for (const operand of operands) {
    if (operand.value.startsWith('+')) readCommands(withValue(operand, operand.value.slice(1)), state, reader);
    else if (name === 'view' || has('-R')) reader.read(state, operand);
    else reader.write(state, operand);
  }
  if (name === 'ex' || has('-e', '-E', '-s'))
    for (const text of input ?? []) for (const line of text.split('\n')) readCommands(field(line), state, reader);
}

/** Commands of `ed`, line by line: `w path`, `e path`, `!command`. Text between `a`, `i`, `c` and `.` is content. */
function runEd({ args, state, input, reader }: Call): undefined {
  for (const file of args) if (!file.value.startsWith('-')) reader.write(state, file);
  for (const text of input ?? []) {
    let isText = false;
    for (const line of text.split('\n')) {
      if (isText) isText = line !== '.';
      else if (/^[^a-zA-Z!]*[aic]$/.test(line)) isText = true;
      else readCommands(field(line), state, reader);
    }
  }
}

function readCommands(from: Field, state: Call['state'], reader: Call['reader']): void {
  if (from.value.includes(ANY)) reader.undecidable('The commands of an editor are not known.');
  for (const command of from.value.split('|')) {
    const text = command
      .trim()
      .replace(/^:+/, '')
      .replace(/^(?:sil(?:ent)?!?\s+|\d+|[%,.$]|'[<>a-z])+/, '');
    const writes =
      /^(?:w|wq|wri(?:te)?|sav(?:eas)?|up(?:date)?|x|xit|exi|f|e|edit|sp|vs|tabe|tabedit|new|r|redi(?:r)?|mks?\w*|mkv\w*|wundo|profile|rename|Rename|Move|cd|lcd)!?\s+(?:>+\s*)?(\S[^]*)$/.exec(
        text,
      );
    if (writes !== null) {
      const path = (writes[1] ?? '').replace(/^>>\s*/, '');
      if (path.startsWith('!')) reader.runText([path.slice(1)], state.copy());
      else reader.write(state, field(path));
    } else if (text.startsWith('!') || /^g\/.*!/.test(text))
      reader.runText([text.replace(/^[^!]*!/, '')], state.copy());
    else if (
      /\b(?:call|exe(?:cute)?|lua|py\w*|ruby|perl|so(?:urce)?|let|eval|system|writefile|term(?:inal)?|norm(?:al)?)\b.*[(!"':]|^(?:so|source)\b/.test(
        text,
      )
    ) {
      reader.undecidable('A command of an editor runs code.');
    }
  }
}
