import {
  builtinRegistry,
  ComponentError,
  createSubFlowSlots,
  type FlowLibrary,
  type Services,
  templateFlow,
} from '@croft/components';
import { type Workspace, WorkspaceError } from '@croft/workspace';
import { posix } from 'node:path';
import { UsageError } from '../usage-error.ts';
import { flowWithCode, userRegistry } from './flow-code.ts';

const ENDINGS = ['', '.flow', '.json'];
const MAX_NAMES = 20;

/**
 * The flow files of a run's directory, read through its workspace. A name may leave out `.flow` or `.json`; the name of a
 * template is that template.
 */
export function directoryFlows(workspace: Workspace): FlowLibrary<Services> {
  const read = async (path: string): Promise<string | undefined> => {
    try {
      return (await workspace.readWhole(path)).text;
    } catch (error) {
      if (error instanceof WorkspaceError && error.code === 'not_found') return undefined;
      throw error;
    }
  };
  return {
    async find(wanted) {
      for (const ending of ENDINGS) {
        const path = posix.normalize(wanted + ending);
        const text = await read(path);
        if (text === undefined) continue;
        return { id: path, ...(await flowOf(path, text, workspace.root)) };
      }
      return templateFlow(wanted, builtinRegistry());
    },
    names: async () =>
      workspace
        .list('.')
        .entries.map((entry) => entry.name)
        .filter((each) => /\.(flow|json)$/.test(each))
        .slice(0, MAX_NAMES),
    underWay: [],
    slots: createSubFlowSlots(),
  };
}

async function flowOf(path: string, text: string, root: string) {
  try {
    const { flow, registry, findings } = await flowWithCode(path, text, await userRegistry(root));
    const [first] = findings;
    if (first !== undefined) throw new ComponentError(`${path}: ${first.message}`, first.fix);
    return { flow: flow.name === '' ? { ...flow, name: path } : flow, registry };
  } catch (error) {
    if (error instanceof UsageError)
      throw new ComponentError(error.message, 'Repair that flow: croft flow check FLOW.');
    throw error;
  }
}
