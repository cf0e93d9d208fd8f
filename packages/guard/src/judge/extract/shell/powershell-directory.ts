import { ANY, changeDirectory, HOME } from './marks.ts';
import { parameters, place } from './powershell-arguments.ts';
import type { Session } from './powershell-session.ts';
import type { Token } from './powershell-tokens.ts';

/** Functions of PowerShell, and a drive. */
const SHORT = /^cd(\.\.|\\|~)$|^([a-z]:)$/;

/** Follows a command that changes the current directory. @returns whether it is one */
export function readLocation(name: string, args: readonly Token[], session: Session): boolean {
  const { state, variables } = session;
  const go = (to: string): void => {
    state.cwds = state.cwds.map((cwd) => changeDirectory(cwd, to));
  };
  const short = SHORT.exec(name);
  if (short !== null) go(short[1]?.replace('\\', '/').replace('~', HOME) ?? `${name}/`);
  else if (/^(?:set-location|sl|cd|chdir|push-location|pushd)$/.test(name)) {
    const isPush = name.startsWith('push');
    const { positions, named } = parameters(args);
    const to =
      named.find((one) => /^(?:pa\w*|l\w*|ps\w*)$/.test(one.name))?.value ??
      positions.find(({ text }) => text !== '--');
    if (isPush) state.stack.push(state.cwds);
    if (to !== undefined && /^[-+]$/.test(to.text)) state.cwds = [ANY];
    else if (to !== undefined) go(place(to.text, to.written, state, variables).value);
    // PowerShell 7 goes to the home directory, Windows PowerShell stays.
    else if (!isPush && args.length === 0) state.cwds = [...new Set([...state.cwds, HOME])];
  } else if (/^(?:pop-location|popd)$/.test(name)) state.cwds = state.stack.pop() ?? [ANY];
  else return false;
  return true;
}

/** Reads the command of `wsl`, with `~` or `--cd` in another directory. */
export function readWsl(args: readonly Token[], { state, reader, variables }: Session): void {
  const own = state.copy();
  let at = 0;
  for (; at < args.length; at += 1) {
    const text = args[at]?.text ?? '';
    const value = args[at + 1];
    if (text === '~') own.cwds = [HOME];
    else if (/^(?:-e|--exec|--)$/.test(text)) {
      at += 1;
      break;
    } else if (!text.startsWith('-')) break;
    else if (/^(?:--cd|-d|-u|--distribution(?:-id)?|--user|--shell-type)$/.test(text)) {
      if (text === '--cd' && value !== undefined) {
        const to = place(value.text, value.written, state, variables).value;
        own.cwds = own.cwds.map((cwd) => changeDirectory(cwd, to));
      }
      at += 1;
    }
  }
  const command = args.slice(at).map((arg) => arg.written);
  if (command.length > 0) reader.runText([command.join(' ')], own);
}
