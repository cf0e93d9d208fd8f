import { type AnyTool, type CallContext, ToolError, type ToolResult } from '@croft/tools';
import { WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import type { AnnouncedTool } from '../../frames.ts';
import type { Connection } from '../connection.ts';
import type { OutgoingCall } from '../pending-calls.ts';
import type { TreeStore } from '../tree/tree-store.ts';
import { unpackAnnounced } from './announced-tools.ts';
import { endedResult, isEnded } from './call-ends.ts';
import { askPerson, confirmationOf } from './confirmation.ts';
import { fromHome, isHomePath } from './home-path.ts';
import { quoteDescription } from './machine-text.ts';
import { errorOf, readAnnouncedAnswer, readExploreAnswer } from './read-answers.ts';
import { EXPLORE, isTreeTool, type makeTreeAnswers, NotInTree, relativeToRoot } from './tree-answers.ts';

/** The parts of the hub that the tools of a machine use. */
export interface RemoteParts {
  readonly trees: TreeStore;
  readonly answerFromTree: ReturnType<typeof makeTreeAnswers>;
  readonly callTimeoutMs: number;
  /** The current connection to the same directory of the same machine, possibly a newer one; or undefined. */
  readonly current: (of: Connection) => Promise<Connection | undefined>;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * The tools that a model may call on a connected machine. `explore` for the first dialect and Croft's daemon, with
 * trees and lists from memory; the announced tools of a client of the later dialect; and those of Croft's daemon
 * outside `explore`.
 */
export function remoteTools(connection: Connection, parts: RemoteParts): readonly AnyTool[] {
  const { dialect, announced } = connection.machine;
  const explored = dialect === 'later' ? [] : EXPLORE.filter(({ name }) => servesExplore(connection, name));
  return [
    ...explored.map((tool) => exploreTool(tool, connection, parts)),
    ...unpackAnnounced(announced).map((tool) => announcedTool(tool, connection, parts)),
  ];
}

/** Runs a call, and drops its response if the machine was switched off or replaced meanwhile. */
async function whileAllowed(
  connection: Connection,
  { parts, isRepeatable }: { readonly parts: RemoteParts; readonly isRepeatable: boolean },
  run: (target: Connection) => Promise<ToolResult>,
): Promise<ToolResult> {
  const target = await parts.current(connection);
  if (!target) return endedResult({ ended: 'not_connected' }, parts.callTimeoutMs);
  const answer = run(target);
  const result = await answer.catch(() => undefined);
  const isAllowed = (result !== undefined && isEnded(result)) || (await parts.current(connection)) !== undefined;
  if (isAllowed) return answer;
  return endedResult({ ended: 'not_connected', ...(!isRepeatable && { mayHaveRun: true }) }, parts.callTimeoutMs);
}

/** A client of the first dialect serves all four; Croft's lists them. */
function servesExplore({ machine }: Connection, name: string): boolean {
  return machine.dialect === 'seed' || machine.explores.includes(name);
}

function exploreTool(tool: AnyTool, connection: Connection, parts: RemoteParts): AnyTool {
  const { name, title, description, tags, input, annotations, paths, pattern } = tool;
  return {
    name,
    title,
    description,
    tags,
    input,
    annotations,
    ...(paths && { paths }),
    ...(pattern && { pattern }),
    run: (given: Input, context: CallContext) =>
      whileAllowed(connection, { parts, isRepeatable: true }, async (target) => {
        const cached = isTreeTool(name) ? await fromTree(name, given, target, parts) : undefined;
        return cached ?? askExplore(name, given, { target, parts, context });
      }),
    failure: tool.failure?.bind(tool) ?? ((error) => ({ error: error.message })),
  };
}

/** `undefined` if the machine itself must be asked. */
async function fromTree(
  name: string,
  input: Input,
  target: Connection,
  parts: RemoteParts,
): Promise<ToolResult | undefined> {
  const tree = parts.trees.get(target);
  const canAsk = target.machine.dialect === 'croft';
  // Only the machine knows its home directory. A client of the first dialect cannot be asked, but its root tells.
  const isHome = isHomePath(String(input.dirPath));
  if (canAsk && (!tree || isHome)) return undefined;
  const dirPath = isHome ? fromHome(target.rootPath, String(input.dirPath)) : input.dirPath;
  if (dirPath === undefined)
    throw new WorkspaceError('invalid', 'Give a path relative to the connected directory instead of ~');
  if (!tree)
    throw new WorkspaceError(
      'unavailable',
      'The server does not have the tree of the connected directory. Use search-files instead',
    );
  try {
    return await parts.answerFromTree(
      { rootPath: target.rootPath, tree, canAsk },
      { name, input: { ...input, dirPath } },
    );
  } catch (error) {
    // Only the machine knows whether a link or another name of the directory makes it an inside path.
    if (error instanceof NotInTree || (canAsk && isOutside(error))) return undefined;
    throw error;
  }
}

function isOutside(error: unknown): boolean {
  return error instanceof WorkspaceError && error.code === 'outside';
}

interface Asking {
  readonly target: Connection;
  readonly parts: RemoteParts;
  readonly context: CallContext;
}

async function askExplore(name: string, input: Input, { target, parts, context }: Asking): Promise<ToolResult> {
  const call: OutgoingCall = { request: requestFor(target, name, input), isRepeatable: true };
  const outcome = await target.ask(call, context.signal);
  if ('ended' in outcome) return endedResult(outcome, parts.callTimeoutMs);
  return readExploreAnswer({ name, input, rootPath: target.rootPath }, outcome.answer);
}

function requestFor(target: Connection, name: string, input: Input): OutgoingCall['request'] {
  if (target.machine.dialect !== 'seed') return { toolCall: { name, arguments: input } };
  const args = { ...input };
  for (const key of ['filePath', 'dirPath'])
    if (typeof args[key] === 'string') args[key] = relativeToRoot(target.rootPath, args[key]);
  return { operation: name, args };
}

function announcedTool(announced: AnnouncedTool, connection: Connection, parts: RemoteParts): AnyTool {
  const { name, title = name, description = '', inputSchema = {}, annotations = {} } = announced;
  const { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true } = annotations;
  return {
    name,
    title,
    description: quoteDescription(description, connection.machine.host),
    tags: [name],
    // Listed as announced, and checked by the machine: zod cannot express every JSON schema.
    input: z.looseObject({}).meta(inputSchema),
    annotations: { readOnlyHint, destructiveHint: !readOnlyHint && destructiveHint, idempotentHint, openWorldHint },
    run: (given: Input, context: CallContext) =>
      whileAllowed(connection, { parts, isRepeatable: readOnlyHint }, (target) =>
        askAnnounced(name, given, { target, parts, context, isRepeatable: readOnlyHint }),
      ),
  };
}

async function askAnnounced(
  name: string,
  given: Input,
  { target, parts, context, isRepeatable }: Asking & { readonly isRepeatable: boolean },
): Promise<ToolResult> {
  // The person's confirmation, which a model must not be able to give.
  const { _confirmation: _, ...input } = given;
  const ask = (of: Connection, args: Input) =>
    of.ask({ request: { toolCall: { name, arguments: args } }, isRepeatable }, context.signal);
  let outcome = await ask(target, input);
  if ('answer' in outcome) {
    const wanted = confirmationOf(errorOf(outcome.answer));
    if (wanted) {
      const decision = await askPerson(wanted, { name, input }, context);
      if (decision === undefined)
        throw new ToolError(
          'declined',
          `The user has to allow this on the connected machine first: ${wanted.question}`,
        );
      // The switch may be off by now: a person takes time to answer.
      const now = await parts.current(target);
      outcome = now ? await ask(now, { ...input, _confirmation: decision }) : { ended: 'not_connected' };
    }
  }
  if ('ended' in outcome) return endedResult(outcome, parts.callTimeoutMs);
  return readAnnouncedAnswer({ name, input, rootPath: target.rootPath }, outcome.answer);
}
