import { createModels, type Models } from '@croft/models';
import { spellingsOf } from '../flow-runs/secret-texts.ts';
import type { OpenVariable, Variables } from '../variables/variables.ts';

/** The texts that no turn of a user shows: credentials, and the keys of the providers of models. */
export const secretsIn = (own: readonly OpenVariable[], { secrets }: Pick<Models, 'secrets'>): ReadonlySet<string> =>
  spellingsOf([...own.filter(({ kind }) => kind === 'credential').map(({ value }) => value), ...secrets]);

/** The same, as a turn that begins now has them. */
export async function secretsOf(variables: Pick<Variables, 'open'>, userId: string): Promise<ReadonlySet<string>> {
  const own = await variables.open(userId);
  return secretsIn(own, createModels({ variables: valuesOf(own) }));
}

/** The values by the names of the variables. */
export const valuesOf = (own: readonly OpenVariable[]): Record<string, string> =>
  Object.fromEntries(own.map(({ name, value }) => [name, value]));
