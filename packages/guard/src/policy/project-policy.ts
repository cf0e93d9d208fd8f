import { meaningOf } from '../judge/extract/argument-keys.ts';
import type { ConfigPlace } from './guard-config-error.ts';
import type { Policy } from './policy.ts';
import { POLICY_FIELDS, type PolicyChanges, type PolicyKey, type ReadValues } from './policy-values.ts';

/** A setting in a project's file that is ignored because it would loosen the policy. */
export interface Loosening extends ConfigPlace {
  /** The key as written in the file. */
  readonly key: string;
}

/** Values that cannot loosen a policy. The lists may only gain entries. */
const TIGHT = { enabled: true, strict: true, mode: 'enforce', allowParentAccess: false, remote: false } as const;
const ADDED = ['customToolPatterns', 'pathParameterNames', 'denyRead', 'protect'] as const;

/**
 * Reads a project's file. It comes with the project, whose author is not trusted, so it can tighten the policy and
 * never loosen it. Returns every other setting by name, so that the guard can report it to the user.
 *
 * @param levels the other sources in force: a loose value that all of them share changes nothing and is not reported
 */
export function readTightening(
  { changes, entries, sections }: ReadValues,
  prefix: string,
  levels: readonly PolicyChanges[],
): { readonly tightening: PolicyChanges; readonly loosenings: readonly Loosening[] } {
  const tightening: PolicyChanges = {};
  const loosenings: Loosening[] = [];
  for (const [key, entry] of entries) {
    const field = POLICY_FIELDS[key];
    const value = changes[field];
    // `remote` never counts as tightening: only the user can say whether the agent works on another machine.
    if (key !== 'remote' && isTight(field, value)) Object.assign(tightening, { [field]: value });
    else if (isLoose(field, value, levels)) loosenings.push({ ...placeOf(entry), key: `${prefix}.${key}` });
  }
  for (const [name, entry] of sections) loosenings.push({ ...placeOf(entry), key: `${prefix}.${name}` });
  return { tightening, loosenings };
}

/** Adds what the project's file tightens to a policy. Idempotent. */
export function tighten<T extends Policy>(policy: T, tightening: PolicyChanges): T {
  const lists = ADDED.filter((field) => tightening[field] !== undefined).map((field) => [
    field,
    [...new Set<unknown>([...policy[field], ...(tightening[field] ?? [])])],
  ]);
  return { ...policy, ...tightening, ...Object.fromEntries(lists) };
}

/** Combines two tightenings. */
export function bothTightenings(one: PolicyChanges, other: PolicyChanges): PolicyChanges {
  const lists = ADDED.filter((field) => one[field] !== undefined || other[field] !== undefined).map((field) => [
    field,
    [...new Set<unknown>([...(one[field] ?? []), ...(other[field] ?? [])])],
  ]);
  return { ...one, ...other, ...Object.fromEntries(lists) } as PolicyChanges;
}

/** The keys of a file that tighten, for messages with their positions. */
export function tighteningKeys(tightening: PolicyChanges): readonly PolicyKey[] {
  return (Object.keys(POLICY_FIELDS) as PolicyKey[]).filter((key) => Object.hasOwn(tightening, POLICY_FIELDS[key]));
}

function isTight(field: keyof Policy, value: unknown): boolean {
  if (Object.hasOwn(TIGHT, field)) return value === TIGHT[field as keyof typeof TIGHT];
  if (field === 'pathParameterNames') return (value as readonly string[]).every(isPlainHint);
  return (ADDED as readonly string[]).includes(field) && (value as readonly unknown[]).length > 0;
}

/** A hint for a key such as `command` would have the judge read it as a path and no longer as a command. */
function isPlainHint(name: string): boolean {
  return ['other', 'path', 'base', 'output', 'goal', 'aim', 'patch'].includes(meaningOf(name));
}

function isLoose(field: keyof Policy, value: unknown, levels: readonly PolicyChanges[]): boolean {
  if (Object.hasOwn(TIGHT, field))
    return value !== TIGHT[field as keyof typeof TIGHT] && levels.some((level) => (level[field] ?? value) !== value);
  if (field === 'defaultToolPatterns' || field === 'pathParameterNames') return true;
  const isEmpty = (value as readonly unknown[]).length === 0;
  if ((ADDED as readonly string[]).includes(field))
    return isEmpty && levels.some((level) => (level[field] as readonly unknown[] | undefined)?.length);
  return !isEmpty;
}

function placeOf({ file, line, column }: ConfigPlace): ConfigPlace {
  return { file, line, column };
}
