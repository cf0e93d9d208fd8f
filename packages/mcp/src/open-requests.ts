import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

/** The one request that stays open for the whole connection, and ends with it. */
const LISTEN = 'subscriptions/listen';

/** The requests of a connection that still need a response: those of the client, and the server's own questions. */
export class OpenRequests {
  /** How often each id is open: a client may use an id again before its first request is answered. */
  private readonly unanswered = new Map<unknown, number>();
  private readonly questions = new Set<RequestId>();

  /** Whether the client waits for a response. */
  get areLeft(): boolean {
    return this.unanswered.size > 0;
  }

  received(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      if (message.id !== undefined) this.questions.delete(message.id);
    } else if ('id' in message) {
      if (message.method !== LISTEN) this.unanswered.set(message.id, (this.unanswered.get(message.id) ?? 0) + 1);
    } else if (message.method === 'notifications/cancelled') this.settle(message.params?.requestId);
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) this.settle(message.id);
    else if ('id' in message) this.questions.add(message.id);
  }

  /** Ends the wait for one response, because it was sent or never will be. */
  private settle(id: unknown): void {
    const count = this.unanswered.get(id) ?? 0;
    if (count > 1) this.unanswered.set(id, count - 1);
    else this.unanswered.delete(id);
  }

  /** Removes the questions of the server, and returns the answers of a person who closes them without a choice. */
  closeQuestions(): JSONRPCMessage[] {
    const answers = [...this.questions].map((id) => ({ jsonrpc: '2.0' as const, id, result: { action: 'cancel' } }));
    this.questions.clear();
    return answers;
  }
}
