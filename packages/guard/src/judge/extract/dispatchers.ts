/** Names of arguments that hold the name of another tool, without `_` and `-`. */
export const NAME_KEYS = /^(?:name|tool|toolname|recipientname|function|functionname|action|toolslug|method|fn)$/;
/** Names of arguments that hold another tool's arguments. */
export const ARGUMENT_KEYS =
  /^(?:arguments|args|parameters|params|input|toolinput|toolargs|toolarguments|kwargs|actioninput)$/;
/** The usual names of tools that take a command line. */
const SHELL_TOOL =
  /^(?:[\w.:/]*[.:/])?(?:bash|sh|zsh|shell|terminal|console|localshell|exec|exec(?:ute)?(?:bash|shell|command|cmd)|run(?:bash|shell|command|cmd|in)?(?:command|cmd|terminal(?:cmd|command)?)?|startprocess)$/;

/**
 * The values that a dispatcher passes to a shell unchanged: `{"tool": "bash", "input": "rm x"}`.
 *
 * @param entries an object's keys in plain form, and their values
 */
export function handedOn(entries: readonly (readonly [key: string, value: unknown])[]): readonly unknown[] {
  const isForShell = entries.some(
    ([key, item]) =>
      typeof item === 'string' && NAME_KEYS.test(key) && SHELL_TOOL.test(item.toLowerCase().replace(/[_-]/g, '')),
  );
  return isForShell ? entries.flatMap(([key, item]) => (ARGUMENT_KEYS.test(key) ? [item] : [])) : [];
}
