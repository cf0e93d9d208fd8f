import { createModels } from '@croft/models';
import { variableRoutes } from '../contract/variable-routes.ts';
import type { VariableInfo, Variables } from '../variables/variables.ts';
import { type Route, route } from './route.ts';

/** As components and providers write them. */
const NAME = /^[A-Za-z_][\w.-]{0,99}$/;

export interface VariableRouteOptions {
  readonly variables: Pick<Variables, 'list' | 'set' | 'remove' | 'open'>;
}

/** The caller's variables, and the model providers that they enable. */
export function makeVariableRoutes({ variables }: VariableRouteOptions): Route[] {
  return [
    route(variableRoutes.listVariables, async ({ caller }) => ({
      variables: (await variables.list(caller.userId)).map(shownVariable),
    })),
    route(variableRoutes.setVariable, async ({ caller, params, body, problem }) => {
      const { name } = params;
      if (!NAME.test(name))
        throw problem(
          'invalid',
          'Name a variable with at most 100 letters, digits, _, - and dots; begin with a letter.',
        );
      return { variable: shownVariable(await variables.set(caller.userId, { name, ...body })) };
    }),
    route(variableRoutes.deleteVariable, async ({ caller, params, problem }) => {
      if (!(await variables.remove(caller.userId, params.name)))
        throw problem('not_found', 'You have no such variable.');
      return { name: params.name };
    }),
    route(variableRoutes.listModels, async ({ caller }) => {
      const own = await variables.open(caller.userId);
      const values = Object.fromEntries(own.map(({ name, value }) => [name, value]));
      const { providers, preferred } = createModels({ variables: values });
      return {
        providers: providers.map(({ name, isEnabled, missing, optional, exampleUrl, models, embeddingModels }) => ({
          name,
          enabled: isEnabled,
          missing: [...missing],
          optional: [...optional],
          exampleUrl: exampleUrl ?? null,
          models: [...models],
          embeddingModels: embeddingModels === undefined ? null : [...embeddingModels],
        })),
        preferred: { provider: preferred.provider, name: preferred.name },
      };
    }),
  ];
}

function shownVariable({ createdAt, updatedAt, hosts, ...info }: VariableInfo) {
  return { ...info, hosts: [...hosts], createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
