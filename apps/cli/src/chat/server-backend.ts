import { randomUUID } from 'node:crypto';
import type { AssistantEvent } from '@croft/assistant';
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
    throw new UsageError(`There is no key for ${server}. Make one on its page Settings and set CROFT_API_KEY`);
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${server}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
    }).catch((error: unknown) => {
      throw new UsageError(`No server answers at ${server}: ${error instanceof Error ? error.message : String(error)}`);
    });
  const flowId = options.flow ?? (await makeFlow(post));
  const sessionId = `agentic_${randomUUID().slice(0, 16)}`;
  let turnId = '';

  const send: ChatBackend['send'] = (message) => {
    async function* events(): AsyncGenerator<AssistantEvent> {
      const answer = await post('/agentic/assist/stream', {
        flow_id: flowId,
        input_value: message,
        session_id: sessionId,
        skip_all: options.skipAll,
        ...(options.model !== undefined && { model_name: options.model }),
      });
      if (!answer.ok || answer.body === null) throw new UsageError(await reasonOf(answer));
      turnId = answer.headers.get('croft-turn-id') ?? '';
      for await (const data of framesOf(answer.body)) {
        const event = JSON.parse(data) as AssistantEvent;
        if (event.event === 'turn') turnId = event.turn_id;
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
  return {
    about: `${server}/flows/${flowId}`,
    send,
    async decide({ id, action }, choice) {
      if (action === 'propose_plan') return;
      const answer = await post(`/agentic/turns/${turnId}/answer`, { id, choice });
      if (!answer.ok) throw new UsageError(await reasonOf(answer));
    },
    close: async () => undefined,
  };
}

async function makeFlow(post: (path: string, body: unknown) => Promise<Response>): Promise<string> {
  const answer = await post('/flows', { name: 'Untitled Flow' });
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

/** The data of server-sent events. */
async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
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
