import type { Call } from './call.ts';
import { checkAssignment } from './environment.ts';
import { ANY, withValue } from './marks.ts';

/** Options that name an output in nearly every program that has them. */
const OUTPUT =
  /^--?(?:out|output|outfile|out-file|out[-_]?dir|output[-_]?(?:dir|directory|file|path)|o|dest|destination|dest[-_]?dir|target[-_]?dir|prefix|install[-_]?(?:dir|root|prefix)|log[-_]?file|junit-?xml|report[-_]?(?:file|dir|path)|coverage-?(?:directory|dir|path|output)|coverprofile|cpuprofile|memprofile|trace-?file|cache-?dir|build[-_]?dir|cover[-_]?dir|dump[-_]?file|save[-_]?(?:to|as|dir)|export[-_]?(?:to|dir)|write[-_]?to|declaration-?dir|html|rootdir-out|user-data-dir|data-?dir|basetemp|root-?user-action|B)$/i;
const LOOKS_OUTSIDE = /^(?:[/\\~\uE003]|[A-Za-z]:[/\\]|(?:[^/]*\/)*\.\.(?:\/|$))/;

/** Whether an option of this name names an output in nearly every program that has it. */
export function namesOutput(option: string): boolean {
  return OUTPUT.test(option);
}

/**
 * Handles a program without a handler. Its words do not show what it does, so only options that name an output count as
 * writes; `-o` and `--prefix` only if their value looks like a path outside, because many programs use them
 * differently.
 */
export function otherProgram({ args, state, reader, name }: Call): void {
  for (const [index, arg] of args.entries()) {
    const { value } = arg;
    const made = /^(DESTDIR|PREFIX|prefix|DEST|OUT|OUTDIR|BUILDDIR|O|INSTALL_\w+|TARGET_?DIR)=(.+)$/s.exec(value);
    if (made?.[2] !== undefined && LOOKS_OUTSIDE.test(made[2])) reader.write(state, withValue(arg, made[2]));
    const set = /^([A-Za-z_]\w*)=/.exec(value);
    if (set?.[1] !== undefined && name.endsWith('make') && /^(?:SHELL|MAKEFLAGS)$/.test(set[1])) {
      reader.undecidable(checkAssignment('PATH', [value]) ?? '');
    }
    if (!value.startsWith('-')) continue;
    const equals = value.indexOf('=');
    const option = equals === -1 ? value : value.slice(0, equals);
    // `-o/etc/x`
    const glued = /^-[oO]([/~\uE003].*)$/s.exec(value);
    if (glued?.[1] !== undefined) reader.write(state, withValue(arg, glued[1]));
    if (!OUTPUT.test(option)) continue;
    const given = equals === -1 ? args[index + 1] : withValue(arg, value.slice(equals + 1));
    if (given === undefined || given.value.startsWith('-') || given.value.startsWith(ANY)) continue;
    const isSure = /out(?:put)?[-_]?(?:dir|directory|file|path)|outfile|outdir|log[-_]?file|junit/i.test(option);
    if (LOOKS_OUTSIDE.test(given.value) || (isSure && equals !== -1)) reader.write(state, given);
  }
}
