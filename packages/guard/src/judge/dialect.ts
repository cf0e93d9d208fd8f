import type { ToolName } from './tool-kind.ts';
import { wordsOf } from './words.ts';

/** The language of a command line. */
export type Dialect = 'posix' | 'powershell' | 'cmd';

const ALL: readonly Dialect[] = ['posix', 'powershell', 'cmd'];
/** Arguments that select the shell of a command. */
const SHELL_KEYS =
  /^(?:shell|shelltype|shellname|shellpath|shellkind|shellprogram|useshell|interpreter|interpreterpath|executable|runtime|dialect|terminal|terminaltype|terminalprofile|shellprofile|language|lang|scripttype|scriptlanguage|type|kind)$/;
/** The arguments that select nothing else: an unknown value means an unknown shell. */
const SURE_KEYS =
  /^(?:shell|shelltype|shellname|shellpath|shellkind|shellprogram|interpreter|interpreterpath|dialect)$/;
const POSIX =
  /^(?:(?:ba|z|k|da|a|fi|c|tc|mk|pdk|ya|o)?sh|busybox|posix|shellscript|console|linux|unix|darwin|macos|gitbash|wsl|\d*)$/;
const MAX_DEPTH = 8;

/** The shells that may read a call's command lines. */
export interface Dialects {
  /** The shells to judge by. The call is judged by what each would write, and by what is undecidable in each. */
  readonly meant: readonly Dialect[];
  /** Clients that ignore the arguments use a POSIX shell: block what it would write outside. */
  readonly orPosix: boolean;
}

/**
 * The shells that a call's arguments and its tool's name select. All shells if an argument selects an unknown one. A
 * POSIX shell if neither selects any.
 */
export function dialectsOf({ words }: ToolName, args: unknown): Dialects {
  const said = new Set<Dialect>();
  visit(args, '', 0, said);
  const isAsked = said.size > 0;
  const name = words.join('');
  const isForCmd = /^(?:(?:run|exec|execute|windows|win)*cmd(?:exec|execute|run|exe)?|batch(?:file|script))$/.test(
    name,
  );
  if (/powershell|pwsh/.test(name)) said.add('powershell');
  else if (isForCmd) said.add('cmd');
  else if (words.some((word) => /^(?:bash|sh|zsh)$/.test(word))) said.add('posix');
  if (said.size === 0) said.add('posix');
  // On many systems, a tool named `cmd` runs another shell.
  return { meant: ALL.filter((dialect) => said.has(dialect)), orPosix: (isAsked || isForCmd) && !said.has('posix') };
}

/** Whether an argument, by its name as plain words, selects the shell of a command. */
export function isShellKey(plain: string): boolean {
  return SHELL_KEYS.test(plain);
}

function visit(value: unknown, key: string, depth: number, said: Set<Dialect>): void {
  if (typeof value === 'string') {
    if (SHELL_KEYS.test(key)) for (const dialect of dialectsNamed(value, SURE_KEYS.test(key))) said.add(dialect);
  } else if (Array.isArray(value)) {
    // `["powershell", "-NoProfile"]`: the first word is the program.
    const [first] = value as unknown[];
    if (typeof first === 'string') visit(first, key, depth + 1, said);
    else if (depth < MAX_DEPTH) for (const item of value) visit(item, key, depth + 1, said);
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const [inner, item] of Object.entries(value)) {
      const plain = wordsOf(inner).join('');
      // `{"shell": {"path": "pwsh"}}`
      visit(
        item,
        SHELL_KEYS.test(key) && /^(?:path|name|program|command|executable)$/.test(plain) ? key : plain,
        depth + 1,
        said,
      );
    }
  }
}

function dialectsNamed(text: string, isSure: boolean): readonly Dialect[] {
  const program = text.trim().toLowerCase().split(/[\\/]/).at(-1) ?? '';
  const bare = program.replace(/["'`]/g, '').replace(/\.exe\b/, '');
  const [first = ''] = bare.split(/\s+/);
  if (/powershell|pwsh|^ps1?$/.test(bare)) return ['powershell'];
  if (/^(?:cmd|comspec|%comspec%|batch|bat|commandprompt|command prompt|dos)$/.test(bare) || first === 'cmd')
    return ['cmd'];
  if (POSIX.test(first) || POSIX.test(wordsOf(bare).join('')) || first === 'env') return isSure ? ['posix'] : [];
  return isSure && bare !== '' && !/^(?:true|false|yes|no|none)$/.test(bare) ? ALL : [];
}
