import { applyEdits, modify } from 'jsonc-parser';
import { expectValue, isObject, type JsonObject, readConfig, RefusedConfig } from './client-config.ts';
import { removeProperty, setProperty } from './edit-json.ts';

const EVENT = 'PreToolUse';
/** `croft guard hook` as it may be written: by its name, by its file in quotes, with the end that croft setup gives it. */
const OURS = /(?:^|[\s'"\\/])croft(?:\.cjs|\.cmd)?['"]?\s+guard\s+hook\b(.*)$/s;
const PLAIN_END = /^\s*(?:\|\|\s*exit\s+2\s*)?$/;
const ALL_TOOLS: readonly unknown[] = [undefined, '', '*', '.*'];

/** One hook of ours in a configuration: in which group, and at which place there. */
interface Found {
  readonly group: number;
  readonly hook: number;
  readonly command: string;
}

/**
 * The text of Claude Code's settings with this command run before every tool call. Every other byte stays; the same text
 * comes back when it says so already. A hook of ours with another command becomes this one.
 *
 * @throws RefusedConfig when the text does not parse, is not of the expected shape, or runs `croft guard hook` in another way
 */
export function withHook(text: string, command: string): string {
  const { bom, body, value = {} } = readConfig(text);
  const ours = { matcher: '*', hooks: [{ type: 'command', command }] };
  if (body.trim() === '') return `${bom}${JSON.stringify({ hooks: { [EVENT]: [ours] } }, null, 2)}\n`;
  const { hooks, groups } = groupsOf(value);
  const [first, ...more] = findOurs(groups);
  if (first === undefined) {
    const result = groups
      ? edited(body, ['hooks', EVENT, groups.length], ours, true)
      : hooks
        ? setProperty(body, ['hooks'], EVENT, [ours])
        : setProperty(body, [], 'hooks', { [EVENT]: [ours] });
    expectValue(result, { ...value, hooks: { ...hooks, [EVENT]: [...(groups ?? []), ours] } });
    return bom + result;
  }
  const group = groups?.[first.group];
  if (more.length > 0 || !isObject(group) || !ALL_TOOLS.includes(group.matcher))
    throw new RefusedConfig('runs croft guard hook for some tools only, or more than once; take that out first');
  if (first.command === command) return text;
  return bom + edited(body, ['hooks', EVENT, first.group, 'hooks', first.hook, 'command'], command, false);
}

/**
 * The text without our hook, nor the group and the lists that it leaves empty; the same text when there is none.
 *
 * @throws RefusedConfig as {@link withHook}
 */
export function withoutHook(text: string): string {
  const { bom, body, value } = readConfig(text);
  if (value === undefined) return text;
  let result = body;
  for (;;) {
    const now = readConfig(result).value ?? {};
    const { hooks, groups } = groupsOf(now);
    const ours = findOurs(groups).at(-1);
    if (ours === undefined || groups === undefined) break;
    const others = groups.length > 1;
    const inGroup = (groups[ours.group] as { readonly hooks: readonly unknown[] }).hooks.length > 1;
    if (inGroup) result = edited(result, ['hooks', EVENT, ours.group, 'hooks', ours.hook], undefined, false);
    else if (others) result = edited(result, ['hooks', EVENT, ours.group], undefined, false);
    else if (Object.keys(hooks ?? {}).length > 1) result = removeProperty(result, ['hooks'], EVENT);
    else result = removeProperty(result, [], 'hooks');
  }
  return result === body ? text : bom + result;
}

/** Whether the settings switch all hooks off. */
export function switchesHooksOff(text: string): boolean {
  return readConfig(text).value?.disableAllHooks === true;
}

function groupsOf(value: JsonObject): { hooks: JsonObject | undefined; groups: readonly unknown[] | undefined } {
  const { hooks } = value;
  if (hooks === undefined) return { hooks: undefined, groups: undefined };
  if (!isObject(hooks)) throw new RefusedConfig('holds something else than an object under "hooks"');
  const groups = hooks[EVENT];
  if (groups !== undefined && !Array.isArray(groups))
    throw new RefusedConfig(`holds something else than a list under "hooks.${EVENT}"`);
  return { hooks, groups };
}

function findOurs(groups: readonly unknown[] | undefined): Found[] {
  const found: Found[] = [];
  for (const [group, entry] of (groups ?? []).entries()) {
    if (!isObject(entry) || !Array.isArray(entry.hooks)) continue;
    for (const [hook, each] of entry.hooks.entries()) {
      const command: unknown = isObject(each) ? each.command : undefined;
      const rest = typeof command === 'string' ? OURS.exec(command)?.[1] : undefined;
      if (rest === undefined) continue;
      if (!PLAIN_END.test(rest))
        throw new RefusedConfig('has a hook for croft guard that croft setup did not write, so it stays');
      found.push({ group, hook, command: command as string });
    }
  }
  return found;
}

function edited(text: string, path: (string | number)[], value: unknown, isArrayInsertion: boolean): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, path, value, { isArrayInsertion, formattingOptions }));
}
