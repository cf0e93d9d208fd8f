import { wordsOf } from '../words.ts';
import { handedOn } from './dispatchers.ts';
import type { Found } from './findings.ts';

/** `["bash","-lc","x"]` is one command of three words; `["npm ci", "npm test"]` may be two. Both readings count. */
export function commandsIn(value: readonly unknown[], areSeveral: boolean): (string | readonly string[])[] {
  const words = value.filter((item) => typeof item === 'string');
  const [first = ''] = words;
  return areSeveral || /\s/.test(first.trim()) ? [words, ...words] : [words];
}

const PROGRAM_KEYS = /^(?:command|cmd|program|executable|binary|bin|exe|file|tool|process)$/;

const WORD_KEYS = /^(?:args|arguments|argv|parameters|params|arg)$/;

const SHELL_LANGUAGE = /^(?:shell|sh|bash|zsh|shellscript|powershell|pwsh|console|terminal)$/;

/** Git commands that write to a path in their arguments. A tool that is git itself gets them without `git`. */
const GIT_COMMAND =
  /^\s*(?:-C\s|-c\s|--(?:git-dir|work-tree|exec-path)\b|(?:clone|init|worktree|archive|bundle|format-patch|submodule|diff|log|show|apply|am|grep(?=.*\s-(?:O|-o))|bisect|rebase|config|fetch|pull|push|ls-remote|difftool|mergetool|checkout-index)(?:\s|$))/;

/** Adds a command split over arguments, `{"command": "rm", "args": ["-rf", "x"]}`, and a script next to its shell. */
export function addSplitCommand(found: Found, value: Record<string, unknown>): void {
  const entries = Object.entries(value).map(([key, item]) => [wordsOf(key).join(''), item] as const);
  const texts = (pattern: RegExp): readonly string[] =>
    entries.flatMap(([key, item]) => (typeof item === 'string' && pattern.test(key) ? [item] : []));
  if (
    texts(/^(?:language|lang|interpreter|shell|runtime|scripttype|dialect)$/).some((text) => SHELL_LANGUAGE.test(text))
  )
    found.commands.push(...texts(/^(?:script|code|source|text|content|snippet|body|input)$/));
  else if (
    texts(/^(?:language|lang|scripttype)$/).some((text) =>
      /^(?:applescript|jxa|python3?|javascript|vbscript)$/i.test(text),
    ) &&
    texts(/^script$/).length > 0
  )
    found.undecidable ??= 'It is not known what a program given as text writes';
  for (const item of handedOn(entries))
    if (Array.isArray(item)) found.commands.push(...commandsIn(item, true));
    else if (typeof item === 'string' && !isJsonText(item)) found.commands.push(item);
  const lists = entries.filter(([key]) => WORD_KEYS.test(key)).map(([, item]) => item);
  for (const command of texts(/^(?:command|cmd)$/))
    if (GIT_COMMAND.test(command)) found.commands.push(`git ${command}`);
  for (const command of texts(PROGRAM_KEYS)) {
    for (const words of lists) {
      if (Array.isArray(words) && words.length > 0) {
        const plain = words.filter((word) => typeof word === 'string');
        found.commands.push(/\s/.test(command.trim()) ? [command, ...plain].join(' ') : [command, ...plain]);
      } else if (typeof words === 'string' && words !== '' && !isJsonText(words) && !/[\n<]/.test(words)) {
        found.commands.push(`${command} ${words}`);
      }
    }
  }
}

/** Whether a value is a text that may be JSON. */
export function isJsonText(value: unknown): value is string {
  return typeof value === 'string' && /^\s*[[{"]/.test(value);
}
