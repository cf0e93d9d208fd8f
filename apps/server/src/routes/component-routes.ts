import { componentRoutes } from '../contract/component-routes.ts';
import type { CodeProblem, ReadComponent } from '@croft/components';
import type { FlowComponents } from '../components/flow-components.ts';
import type { UserComponents } from '../components/user-components.ts';
import { actorOf } from '../files/actor-of.ts';
import { loadComponents } from './flow-routes.ts';
import { type Route, route } from './route.ts';

export interface ComponentRouteOptions {
  readonly userComponents: UserComponents;
  readonly flowComponents: Pick<FlowComponents, 'builtins' | 'ofUser'>;
}

const NO_COMPONENT = 'You have no such component.';
const NAME_FIX = 'Give the class and the component one name, which no built-in component has.';

/** Components that the caller wrote. */
export function makeComponentRoutes({ userComponents, flowComponents }: ComponentRouteOptions): Route[] {
  return [
    route(componentRoutes.listComponents, async ({ caller }) => {
      const { components, skipped } = await userComponents.list(caller.userId);
      const { registry, leftOut } = await flowComponents.ofUser(caller.userId);
      const { fixOf } = await loadComponents();
      return {
        components: components.map(({ className, origin }) => {
          const left = leftOut.find((each) => each.className === className);
          const problem = left && (left.problem ?? nameProblem(left.reason));
          return {
            name: className,
            label: (left === undefined && registry.get(className)?.descriptor.label) || className,
            origin,
            problem: problem === undefined ? null : shownProblem(problem, fixOf),
          };
        }),
        skipped: skipped.map(({ file, reason }) => ({ file, reason })),
      };
    }),
    route(componentRoutes.getComponent, async ({ caller, params, problem }) => {
      const { components } = await userComponents.list(caller.userId);
      const found = components.find(({ className }) => className === params.name);
      if (found === undefined) throw problem('not_found', NO_COMPONENT);
      return { name: found.className, origin: found.origin, code: found.code };
    }),
    route(componentRoutes.saveComponent, async ({ caller, params, body, signal, other, problem }) => {
      const { probeComponent, fixOf } = await loadComponents();
      if (flowComponents.builtins.get(params.name) !== undefined)
        throw problem('exists', `'${params.name}' is a built-in component. Give the class another name.`);
      const read = await probeComponent(body.code, { signal, user: caller.userId });
      if (!read.ok) return other(422, { problems: read.problems.map((each) => shownProblem(each, fixOf)) });
      const { className } = read.component;
      if (className !== params.name)
        return other(422, {
          problems: [shownProblem(nameProblem(`The class of the code is called ${className}.`), fixOf)],
        });
      await userComponents.save(actorOf(caller), className, body.code);
      return { component: shownComponent(read.component) };
    }),
    route(componentRoutes.deleteComponent, async ({ caller, params, problem }) => {
      if (!(await userComponents.remove(actorOf(caller), params.name))) throw problem('not_found', NO_COMPONENT);
      return { name: params.name };
    }),
    route(componentRoutes.checkComponent, async ({ caller, body, signal, other }) => {
      const { fixOf, readComponent } = await loadComponents();
      const read = await readComponent(body.code, { signal, user: caller.userId });
      if (!read.ok) return other(422, { problems: read.problems.map((each) => shownProblem(each, fixOf)) });
      return { component: shownComponent(read.component) };
    }),
  ];
}

type NamedProblem = Omit<CodeProblem, 'kind'> & { readonly kind: CodeProblem['kind'] | 'name' };

const nameProblem = (message: string): NamedProblem => ({ kind: 'name', line: 0, column: 0, message });

function shownProblem(problem: NamedProblem, fixOf: (problem: CodeProblem) => string) {
  const { kind, line, column, message } = problem;
  const fix = kind === 'name' ? NAME_FIX : fixOf({ ...problem, kind });
  return { kind, line, column, message, fix };
}

function shownComponent({ className, label, description, fields, outputs }: ReadComponent) {
  return {
    name: className,
    label,
    description,
    fields: fields.map((each) => ({ ...each })),
    outputs: outputs.map(shownOutput),
  };
}

function shownOutput(output: ReadComponent['outputs'][number]) {
  const { method: _, ...rest } = output;
  return { ...rest, types: [...rest.types] };
}
