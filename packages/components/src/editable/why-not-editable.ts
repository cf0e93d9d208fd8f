import type { Descriptor, Effect } from '@croft/flow';

const REASONS: readonly (readonly [prefix: string, reason: string])[] = [
  ['workspace', 'It uses files, which code in the sandbox cannot reach.'],
  ['network', 'It sends requests, which code in the sandbox cannot do.'],
  ['model', 'It asks language models, which code in the sandbox cannot reach.'],
  ['database', 'It uses stored messages or texts, which code in the sandbox cannot reach.'],
  ['wait', 'It waits for a person or a message, which code in the sandbox cannot do.'],
  ['code', 'Its code is the value of its field Code: edit that.'],
];

/** Why the code of a built-in component cannot be edited; for those without a source only. */
export function whyNotEditable({ effects }: Pick<Descriptor, 'effects'>): string {
  const has = (prefix: string) => effects.some((effect: Effect) => effect.startsWith(prefix));
  const found = REASONS.find(([prefix]) => has(prefix));
  return found?.[1] ?? 'It uses a library or a service of Croft that the sandbox does not have.';
}
