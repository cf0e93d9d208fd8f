import { expectValue, readConfig, RefusedConfig } from './client-config.ts';
import { isObject, type JsonObject, appendItem, removeItem, removeProperty, setProperty } from './edit-json.ts';
import type { HookFormat } from './hook-client.ts';
import { PLUGIN_MARK } from './opencode-plugin.ts';

/** Matches `croft guard hook` by name or by its quoted file, with the end that croft setup adds. */
const OURS = /(?:^|[\s'"\\/])croft(?:\.cjs|\.cmd)?['"]?\s+guard\s+hook\b(.*)$/s;
const PLAIN_END = /^(?:\s+--agent\s+[\w-]+)?\s*(?:\|\|\s*exit\s+2\s*)?$/;
const ALL_TOOLS: readonly unknown[] = [undefined, '', '*', '.*'];

/** One hook of Croft in a configuration. */
interface Found {
  /** The index in the event's list; with groups, also the index in the group. */
  readonly at: readonly number[];
  readonly command: string;
  /** Whether the agent calls it for every tool. */
  readonly forAll: boolean;
}

/**
 * Adds a hook to the text of an agent's configuration, so that the agent runs the command before every tool call. Keeps every
 * other byte. Returns the same text if the hook is already there. Replaces a hook of Croft with another command.
 *
 * @param temporary the directory for temporary files, for a format whose file names it
 * @throws RefusedConfig if the text does not parse, does not have the expected shape, or runs `croft guard hook` differently
 */
export function withHook(text: string, command: string, format: HookFormat, temporary?: string): string {
  if (format.kind === 'file') return ownFile(text) && format.content(command, temporary);
  const { bom, body, value = {} } = readConfig(text);
  const { event } = format;
  const ours = entryOf(command, format);
  const top = format.kind === 'list' ? format.top : {};
  if (body.trim() === '') return `${bom}${JSON.stringify({ ...top, hooks: { [event]: [ours] } }, null, 2)}\n`;
  const { hooks, entries } = entriesOf(value, event);
  const [first, ...more] = findOurs(entries, format);
  if (first === undefined) {
    let result = entries
      ? appendItem(body, ['hooks', event], ours)
      : hooks
        ? setProperty(body, ['hooks'], event, [ours])
        : setProperty(body, [], 'hooks', { [event]: [ours] });
    for (const [key, fixed] of Object.entries(top))
      if (!Object.hasOwn(value, key)) result = setProperty(result, [], key, fixed);
    expectValue(result, { ...top, ...value, hooks: { ...hooks, [event]: [...(entries ?? []), ours] } });
    return bom + result;
  }
  if (more.length > 0 || !first.forAll)
    throw new RefusedConfig('runs croft guard hook for some tools only, or more than once; take that out first');
  if (first.command === command) return text;
  return bom + setProperty(body, pathOf(first, event), 'command', command);
}

/**
 * Removes Croft's hook from the text, and the group and lists that become empty. Returns the same text if there is no hook, and
 * `undefined` for a file with nothing else, which the caller deletes.
 *
 * @throws RefusedConfig as {@link withHook}
 */
export function withoutHook(text: string, format: HookFormat): string | undefined {
  if (format.kind === 'file') return ownFile(text) ? undefined : text;
  const { event } = format;
  const { bom, body, value } = readConfig(text);
  if (value === undefined) return text;
  let result = body;
  for (;;) {
    const now = readConfig(result).value ?? {};
    const { hooks, entries } = entriesOf(now, event);
    const ours = findOurs(entries, format).at(-1);
    if (ours === undefined || entries === undefined) break;
    const [at, inGroup] = ours.at as [number, number?];
    const group = inGroup === undefined ? [] : (entries[at] as { readonly hooks: readonly unknown[] }).hooks;
    if (inGroup !== undefined && group.length > 1) result = removeItem(result, ['hooks', event, at, 'hooks'], inGroup);
    else if (entries.length > 1) result = removeItem(result, ['hooks', event], at);
    else if (Object.keys(hooks ?? {}).length > 1) result = removeProperty(result, ['hooks'], event);
    else result = removeProperty(result, [], 'hooks');
  }
  return result === body ? text : bom + result;
}

/** The commands of the text's hooks of Croft, also of those with additions by the user. */
export function hookCommands(text: string, format: HookFormat): readonly string[] {
  if (format.kind === 'file') return [];
  return findOurs(entriesOf(readConfig(text).value ?? {}, format.event).entries, format).map(({ command }) => command);
}

/** Whether the text runs a hook that `croft setup guard` could have written, for all tools. */
export function hasHook(text: string, format: HookFormat): boolean {
  try {
    if (format.kind === 'file') return text !== '' && ownFile(text);
    return findOurs(entriesOf(readConfig(text).value ?? {}, format.event).entries, format).some(({ forAll }) => forAll);
  } catch {
    return false;
  }
}

/** Whether a setting of the text has this value. */
export function hasSetting(text: string, path: readonly string[], value: unknown): boolean {
  let at: unknown = readConfig(text).value;
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at === value;
}

/** @throws RefusedConfig for a file that croft setup did not write */
function ownFile(text: string): true {
  if (text !== '' && !text.startsWith(PLUGIN_MARK))
    throw new RefusedConfig('was not written by croft setup guard, so it stays; move it away first');
  return true;
}

function entryOf(command: string, format: HookFormat): JsonObject {
  if (format.kind === 'list') return { command, failClosed: true };
  return { matcher: '*', hooks: [{ type: 'command', command }] };
}

function entriesOf(
  value: JsonObject,
  event: string,
): { hooks: JsonObject | undefined; entries: readonly unknown[] | undefined } {
  const { hooks } = value;
  if (hooks === undefined) return { hooks: undefined, entries: undefined };
  if (!isObject(hooks)) throw new RefusedConfig('holds something else than an object under "hooks"');
  const entries = hooks[event];
  if (entries !== undefined && !Array.isArray(entries))
    throw new RefusedConfig(`holds something else than a list under "hooks.${event}"`);
  return { hooks, entries };
}

function findOurs(entries: readonly unknown[] | undefined, { kind }: HookFormat): Found[] {
  return (entries ?? []).flatMap((entry, at): Found[] => {
    if (!isObject(entry)) return [];
    const forAll = ALL_TOOLS.includes(entry.matcher);
    if (kind === 'list') return foundIn(entry, [at], forAll);
    if (!Array.isArray(entry.hooks)) return [];
    return entry.hooks.flatMap((hook: unknown, place) => (isObject(hook) ? foundIn(hook, [at, place], forAll) : []));
  });
}

function foundIn({ command }: JsonObject, at: readonly number[], forAll: boolean): Found[] {
  const rest = typeof command === 'string' ? OURS.exec(command)?.[1] : undefined;
  if (rest === undefined) return [];
  if (!PLAIN_END.test(rest))
    throw new RefusedConfig('has a hook for croft guard that croft setup did not write, so it stays');
  return [{ at, command: command as string, forAll }];
}

function pathOf({ at: [entry, hook] }: Found, event: string): (string | number)[] {
  return ['hooks', event, entry as number, ...(hook === undefined ? [] : ['hooks', hook])];
}
