import { ANY, ATOM, type Field, GLOB, HOME } from './marks.ts';

/** Every `%NAME%` and `!NAME!`, also of other texts than names, and a parameter. */
const VARIABLE = /%([^%]+)%|!([^!]+)!|%[~*\w].*/g;

/**
 * @param here the value of `%cd%`, which is known when the line begins
 * @param now the value of `!cd!`
 * @returns a path with its variables expanded. A part (`%x:~0,3%`) or a replacement (`%x:a=b%`) of one is unknown.
 */
export function cmdPlace(text: string, here: string, now = here): Field {
  const value = text.replace(VARIABLE, (_, percent: string | undefined, bang: string | undefined) => {
    const name = (percent ?? bang ?? '').toLowerCase();
    if (/^(?:userprofile|homepath|home)$/.test(name)) return HOME;
    if (/^(?:appdata|localappdata)$/.test(name)) return `${HOME}/.config`;
    if (/^(?:temp|tmp)$/.test(name)) return '/tmp';
    if (
      /^(?:windir|systemroot|programfiles|programdata|systemdrive|public|allusersprofile|programfiles\(x86\))$/.test(
        name,
      )
    )
      return 'C:/Windows';
    if (name === 'cd') return percent === undefined ? now : here;
    return /^(?:random|date|time)$/.test(name) ? ATOM : ANY;
  });
  const slashed = value.includes('\\') && !/^(?:[A-Za-z]:|\\)/.test(value) ? value.replaceAll('\\', '/') : value;
  // The commands expand wildcards themselves.
  return { value: slashed.replace(/[*?]/g, `${GLOB}$&`), written: text };
}
