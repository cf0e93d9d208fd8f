import { ComponentError, splitCommand } from '@croft/components';
import type { Settings } from '../config/settings.ts';
import { flowCommandRoutes } from '../contract/flow-command-routes.ts';
import { allowedCommand, isSameCommand, resolveCommand, type ResolvedCommand } from '../flow-parts/allowed-command.ts';
import { writableDirs } from '../flow-runs/run-clients.ts';
import type { Db } from '../store/database.ts';
import { addFlowCommand, listFlowCommands, removeFlowCommand } from '../store/flow-commands.ts';
import { problem, type Route, route } from './route.ts';

export interface FlowCommandRouteOptions {
  readonly settings: Pick<Settings, 'baseDir' | 'filesystemPath' | 'flowCommands'>;
  readonly storage: () => Promise<Db>;
}

/** The commands that flows of administrators may start as MCP servers. */
export function makeFlowCommandRoutes({ settings, storage }: FlowCommandRouteOptions): Route[] {
  return [
    route(flowCommandRoutes.listFlowCommands, async () => ({
      fixed: [...settings.flowCommands],
      commands: (await listFlowCommands(await storage())).map(({ id, line, file, args }) => ({
        id,
        command: line,
        argv: [file, ...args],
        isFound: isSameCommand(resolveCommand(splitCommand(line)), { file, args }),
      })),
    })),
    route(flowCommandRoutes.checkFlowCommand, ({ body }) => {
      const { file, args } = usableCommand(body.command, settings);
      return { argv: [file, ...args] };
    }),
    route(flowCommandRoutes.allowFlowCommand, async ({ caller, body, problem: refuse }) => {
      const found = usableCommand(body.command, settings);
      const [file = '', ...args] = body.argv;
      if (!isSameCommand(found, { file, args }))
        throw refuse('changed', `The command runs '${[found.file, ...found.args].join(' ')}' now. Check it again.`);
      const added = await addFlowCommand(await storage(), caller.userId, { line: body.command, ...found });
      if (added === 'exists') throw refuse('exists', 'This command is allowed already.');
      if (added === 'full') throw refuse('quota_exceeded', 'Too many commands are allowed. Remove one first.');
      return added;
    }),
    route(flowCommandRoutes.removeFlowCommand, async ({ params, problem: refuse }) => {
      if (!(await removeFlowCommand(await storage(), params.id)))
        throw refuse('not_found', 'There is no such command. It may have been removed already.');
      return { id: params.id };
    }),
  ];
}

/** Resolves a command. @throws Problem `invalid` for a program that does not exist, or that flows can change */
function usableCommand(line: string, settings: FlowCommandRouteOptions['settings']): ResolvedCommand {
  const argv = splitCommand(line);
  if (/\0|[\ud800-\udfff]/u.test(line) || resolveCommand(argv) === undefined)
    throw problem('invalid', `The server finds no program '${argv[0] ?? ''}'. Install it, or write its whole path.`);
  try {
    return allowedCommand(argv, { allowed: [line], writable: writableDirs(settings), howToAllow: '' });
  } catch (error) {
    if (error instanceof ComponentError) throw problem('invalid', `${error.message} ${error.fix}`);
    throw error;
  }
}
