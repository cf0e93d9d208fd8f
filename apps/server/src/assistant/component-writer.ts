import type { ComponentWriter } from '@croft/assistant';
import { type CodeProblem, fixOf, probeComponent, userComponent } from '@croft/components';
import type { FlowComponents } from '../components/flow-components.ts';
import type { UserComponents } from '../components/user-components.ts';
import type { UserActor } from '../files/actor-of.ts';
import { forModel } from './for-model.ts';

export interface ComponentWriterOptions {
  readonly flowComponents: Pick<FlowComponents, 'builtins'>;
  readonly userComponents: Pick<UserComponents, 'list' | 'readGenerated' | 'generate' | 'save'>;
}

/** The components that the assistant writes for a user. Code runs in the sandbox only. */
export function createComponentWriter(
  { flowComponents, userComponents }: ComponentWriterOptions,
  author: UserActor,
  sessionId: string,
): ComponentWriter {
  const { userId } = author;
  const findGenerated = (name: string) => forModel(userComponents.readGenerated(userId, name, sessionId));
  const isSaved = async (name: string) =>
    (await userComponents.list(userId)).components.some((each) => each.className === name && each.origin === 'saved');
  return {
    async generate(code, signal) {
      const read = await probeComponent(code, { signal, user: userId });
      if (!read.ok) return { problems: read.problems.map(textOf) };
      const { className } = read.component;
      if (flowComponents.builtins.get(className) !== undefined)
        return { problems: [`'${className}' is a built-in component. Give the class another name.`] };
      await forModel(userComponents.generate(author, className, code, sessionId));
      return { className, entry: userComponent(read.component, code) };
    },
    replacesSaved: async (className) => (await findGenerated(className))?.coversSaved === true,
    async save(className) {
      const found = await findGenerated(className);
      if (found === undefined) return isSaved(className);
      await forModel(userComponents.save(author, className, found.code, sessionId));
      return true;
    },
  };
}

const textOf = (problem: CodeProblem): string =>
  `${problem.line > 0 ? `Line ${problem.line}: ` : ''}${problem.message}. ${fixOf(problem)}`;
