import { type ParsedScript, parse } from 'unbash';

/** The commands in `>(sh)`, which read another command's output: as commands, if the program is a shell. */
export function fedScript(text: string): ParsedScript | undefined {
  const inner = /^>\(([^]*)\)$/.exec(text)?.[1];
  return inner === undefined ? undefined : parse(`printf %s "$croft_fed_by_a_command" | {\n${inner}\n}`);
}
