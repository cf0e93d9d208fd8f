import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import {
  type AssistantEvent,
  HISTORY,
  isShownAs,
  landEdit,
  onlyProposed,
  type PastTurn,
  proposesMark,
  runTurn,
  type Turn,
  undoneText,
  whyNoAdd,
} from '@croft/assistant';
import { type CroftComponent, TEMPLATES, withFlowCode } from '@croft/components';
import type { Edit, Registry } from '@croft/flow';
import { fixedWorkspace, makeToolset } from '@croft/tools';
import { openSharedDirectory } from '../commands/connect-shared.ts';
import type { RunFlags } from '../commands/run-flags.ts';
import { chosenModels } from '../compose/environment-models.ts';
import { flowWithCode, userRegistry } from '../compose/flow-code.ts';
import { openFlowServices } from '../compose/flow-services.ts';
import type { ChatBackend, ChatTurn } from './chat-backend.ts';
import { ASSISTANT, createChatFiles } from './chat-files.ts';
import { createFileCanvas, ForModel } from './file-canvas.ts';
import { createFileRuns } from './file-runs.ts';

export interface FileBackendOptions extends Pick<RunFlags, 'allowHost' | 'allowCommand' | 'credential'> {
  readonly file: string;
  readonly dir: string | undefined;
  readonly model: string | undefined;
  /** Puts what the assistant builds into the file without asking. */
  readonly skipAll: boolean;
  readonly confirm: (what: string) => Promise<boolean>;
}

/** The assistant of a flow in a file, in this process. Its files are those of one directory. */
export async function openFileBackend(options: FileBackendOptions): Promise<ChatBackend> {
  const file = resolve(options.file);
  const dir = options.dir ?? dirname(file);
  const base = await userRegistry(dir);
  const models = await chosenModels(options.model);
  const opened = openFlowServices(dir, options, models);
  const shared = openSharedDirectory(dir, true);
  const canvas = createFileCanvas({
    file,
    read: async (text) => (await flowWithCode(options.file, text, base)).flow,
    confirm: options.confirm,
  });
  const registryNow = async (): Promise<Registry<CroftComponent>> =>
    (await withFlowCode(base, (await canvas.read()).flow)).registry;
  const runs = createFileRuns({ canvas, registry: registryNow, services: opened });
  const { workspace, table, activity } = shared;
  const chatFiles = createChatFiles({ workspace, activity, canvas });
  const history: PastTurn[] = [];
  let sessionId = newSessionId();
  const files = { ...table, tools: makeToolset('files', fixedWorkspace(workspace)), actor: ASSISTANT };
  let plan: string | undefined;
  let dismissesProposals = false;

  const send: ChatBackend['send'] = (message, continues) => {
    const stop = new AbortController();
    const answers = new Map<string, (choice: string) => void>();
    const ask: Turn['ask'] = ({ id }, signal) =>
      new Promise((answer, reject) => {
        answers.set(id, answer);
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    async function* events() {
      const registry = await registryNow();
      const turn: Turn = {
        id: randomUUID(),
        sessionId,
        message,
        continues,
        plan,
        dismissesProposals,
        canvas,
        registry,
        templates: TEMPLATES,
        models,
        files,
        undoFiles: chatFiles.undoNewest,
        runs,
        history: history.slice(-HISTORY.turns),
        skipAll: backend.skipAll,
        ask,
        secrets: opened.secrets,
        signal: stop.signal,
      };
      plan = undefined;
      const startedAt = new Date();
      const seen: AssistantEvent[] = [];
      try {
        for await (const event of runTurn(turn)) {
          seen.push(event);
          if (event.event === 'flow_update' && event.action === 'propose_plan') plan = event.markdown;
          if (event.event === 'complete') history.push({ user: message, assistant: event.data.result });
          yield event;
        }
      } finally {
        dismissesProposals = onlyProposed(seen);
        chatFiles.add({ id: turn.id, startedAt }, seen);
        canvas.endTurn();
      }
    }
    const turn: ChatTurn = {
      events: events(),
      cancel: () => stop.abort(),
      answer: async (id, choice) => answers.get(id)?.(choice),
    };
    return turn;
  };
  const editUnchanged = async (version: number, edit: Edit) => {
    if ((await canvas.editExactly(version, [edit])) === undefined)
      throw new ForModel(`${options.file} was changed meanwhile. Ask again.`);
  };
  const backend: ChatBackend = {
    about: options.file,
    skipAll: options.skipAll,
    send,
    async decide(proposal, choice) {
      if (choice === 'dismiss') dismissesProposals = false;
      if (choice === 'dismiss' || proposal.action === 'propose_plan') return;
      if (proposesMark(proposal)) throw new ForModel(SECRET);
      const { flow, version } = await canvas.read();
      if (proposal.action === 'edit_field') {
        const { component_id: id, field, old_value, new_value } = proposal;
        const node = flow.nodes.find((each) => each.id === id);
        if (node === undefined || !isShownAs(node.values[field] ?? null, old_value, opened.secrets))
          throw new ForModel(`'${field}' of ${id} was changed since it was proposed. Ask again.`);
        await editUnchanged(version, { kind: 'configure', id, values: { [field]: new_value } });
      } else {
        const why = choice === 'add' ? whyNoAdd(flow, proposal.flow, await registryNow()) : undefined;
        if (why !== undefined) throw new ForModel(why);
        await canvas.checkpoint();
        await editUnchanged(version, landEdit(flow, proposal.flow, choice === 'add' ? 'add' : 'replace'));
      }
      dismissesProposals = false;
      canvas.endTurn();
    },
    async undo() {
      const undone = await chatFiles.undoNewest();
      if (undone === undefined || undone.withCanvas) await canvas.undo();
      dismissesProposals = false;
      const ofFlow = `The last change of ${options.file} is undone.`;
      if (undone === undefined) return ofFlow;
      const ofFiles = undoneText(undone.files);
      return undone.withCanvas ? `${ofFlow} ${ofFiles}` : ofFiles;
    },
    async newSession() {
      history.length = 0;
      plan = undefined;
      sessionId = newSessionId();
    },
    async close() {
      shared.close();
      await opened.close();
      return undefined;
    },
  };
  return backend;
}

const newSessionId = (): string => `agentic_${randomUUID().slice(0, 16)}`;
const SECRET =
  'The proposal has a secret, which no proposal keeps. Write the value into the file yourself, or ask again without it.';
