import { randomUUID } from 'node:crypto';
import { type AssistantEvent, type UndoneFile, undoneText } from '@croft/assistant';
import { UsageError } from '../usage-error.ts';
import type { ChatBackend, ChatTurn } from './chat-backend.ts';

export interface ServerBackendOptions {
  /** Without a slash at the end. */
  readonly server: string;
  readonly key: string | undefined;
  /** A new flow unless given. */
  readonly flow: string | undefined;
  readonly model: string | undefined;
  readonly skipAll: boolean;
}

/** The assistant of a flow of a server. Pages that have the flow open follow its changes. */
export async function openServerBackend(options: ServerBackendOptions): Promise<ChatBackend> {
  const { server, key } = options;
  if (key === undefined)
    throw new UsageError(`${server} needs an API key. Make one on its page Settings and set CROFT_API_KEY`);
  const request = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${server}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
    }).catch(() => {
      throw new UsageError(`No server answers at ${server}. Check the address, and that the server runs`);
    });
  const post = (path: string, body: unknown) => request('POST', path, body);
  const made = options.flow === undefined ? await makeFlow(post) : undefined;
  const flowId = options.flow ?? made ?? '';
  let sessionId = newSessionId();
  let turnId = '';
  // Turns that changed the flow or files, for undo.
  const changed: string[] = [];
  const noteChange = () => changed.at(-1) !== turnId && changed.push(turnId);

  const send: ChatBackend['send'] = (message) => {
    async function* events(): AsyncGenerator<AssistantEvent> {
      const answer = await post('/agentic/assist/stream', {
        flow_id: flowId,
        input_value: message,
        session_id: sessionId,
        skip_all: backend.skipAll,
        ...(options.model !== undefined && { model_name: options.model }),
      });
      if (!answer.ok || answer.body === null) throw new UsageError(await reasonOf(answer));
      turnId = answer.headers.get('croft-turn-id') ?? '';
      for await (const data of framesOf(answer.body, server)) {
        const event = JSON.parse(data) as AssistantEvent;
        if (event.event === 'turn') turnId = event.turn_id;
        if (event.event === 'flow_update' && 'version' in event && event.version !== undefined) noteChange();
        if (event.event === 'file_written') noteChange();
        yield event;
      }
    }
    const turn: ChatTurn = {
      events: events(),
      cancel: () => void post(`/agentic/turns/${turnId}/cancel`, {}).catch(() => undefined),
      async answer(id, choice) {
        const answer = await post(`/agentic/turns/${turnId}/answer`, { id, choice });
        if (!answer.ok) throw new UsageError(await reasonOf(answer));
      },
    };
    return turn;
  };
  const backend: ChatBackend = {
    about: `${server}/flows/${flowId}`,
    newFlow: made,
    skipAll: options.skipAll,
    send,
    async decide({ id, action }, choice) {
      if (action === 'propose_plan') return;
      const answer = await post(`/agentic/turns/${turnId}/answer`, { id, choice });
      if (!answer.ok) throw new UsageError(await reasonOf(answer));
      if (choice !== 'dismiss') noteChange();
    },
    async undo() {
      const last = changed.at(-1);
      if (last === undefined) throw new UsageError('There is nothing to undo in this chat.');
      const answer = await post(`/agentic/turns/${last}/revert`, {});
      if (!answer.ok) throw new UsageError(await reasonOf(answer));
      changed.pop();
      const { files = [] } = (await answer.json()) as { files?: readonly UndoneFile[] };
      return ['The last message with changes is undone.', ...(files.length > 0 ? [undoneText(files)] : [])].join(' ');
    },
    async newSession() {
      const ended = sessionId;
      sessionId = newSessionId();
      await post(`/agentic/sessions/reset?session_id=${sessionId}&ended_session_id=${ended}`, {});
    },
    async close() {
      if (made === undefined) return undefined;
      const path = `/flows/${encodeURIComponent(made)}`;
      const answer = await request('GET', path);
      if (!answer.ok) return undefined;
      const { flow } = (await answer.json()) as { flow: { document: { nodes: readonly unknown[] } } };
      if (flow.document.nodes.length > 0) return undefined;
      const deleted = await request('DELETE', path);
      return deleted.ok ? `Deleted the new flow ${made}: it is empty.` : undefined;
    },
  };
  return backend;
}

const newSessionId = (): string => `agentic_${randomUUID().slice(0, 16)}`;

async function makeFlow(post: (path: string, body: unknown) => Promise<Response>): Promise<string> {
  const answer = await post('/flows', { name: 'Untitled flow' });
  if (!answer.ok) throw new UsageError(await reasonOf(answer));
  return ((await answer.json()) as { flow: { id: string } }).flow.id;
}

async function reasonOf(answer: Response): Promise<string> {
  if (answer.status === 401)
    return 'The server does not accept the key. Make one on its page Settings and set CROFT_API_KEY';
  try {
    return ((await answer.json()) as { error: { message: string } }).error.message;
  } catch {
    return `The server answered with status ${answer.status}`;
  }
}

/** The data of server-sent events. @throws UsageError where the connection ends early */
async function* framesOf(body: ReadableStream<Uint8Array>, server: string): AsyncGenerator<string> {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new UsageError(
        `The connection to ${server} ended before the reply did. The reply may go on there: look at the flow before you repeat the message`,
        { cause: error },
      );
    });
    if (done) return;
    rest += value;
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = frame
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart())
        .join('\n');
      if (data !== '') yield data;
    }
  }
}
