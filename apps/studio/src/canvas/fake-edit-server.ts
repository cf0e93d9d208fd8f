import { applyEdits, clashesOf, type Edit, type FlowDocument, FlowError } from '@croft/flow';
import { ApiError } from '../api/request.ts';
import type { EditRequest, Entry, Sent } from './edit-server.ts';
import { createEditStore } from './edit-store.ts';
import type { Unsent } from './unsent-edits.ts';

/** A flow on a server, with the rules of the real one. For tests. */
export function fakeServer(start: FlowDocument) {
  const keys = new Map<string, Sent>();
  const entries: Entry[] = [];
  const server = {
    document: start,
    version: 1,
    requests: [] as EditRequest[],
    /** Thrown by the next requests. */
    failures: [] as ApiError[],
    /** The answer of the next request gets lost after the server applied it. */
    losesAnswer: false,
    /** The code of the user's components by their types. */
    codes: {} as Readonly<Record<string, string>>,
    after: (version: number) => entries.filter((entry) => entry.version > version),
    edit(edits: readonly Edit[]) {
      server.document = applyEdits(server.document, edits).flow;
      server.version += 1;
      entries.push({ version: server.version, edits });
    },
    async entriesAfter(version: number) {
      await Promise.resolve();
      return server.after(version);
    },
    async send(request: EditRequest): Promise<Sent> {
      await Promise.resolve();
      server.requests.push(request);
      const failure = server.failures.shift();
      if (failure) throw failure;
      const known = keys.get(request.key);
      if (known) return known;
      const between = server.after(request.base);
      const changed = new ApiError('changed', 'The same parts were changed.', 409);
      if (
        clashesOf(
          request.edits,
          between.flatMap(({ edits }) => edits),
        ).length > 0
      )
        throw changed;
      const edits = request.edits.map((edit) => {
        const code = edit.kind === 'add_component' ? (edit.node.code ?? server.codes[edit.node.type]) : undefined;
        return edit.kind === 'add_component' && code !== undefined ? { ...edit, node: { ...edit.node, code } } : edit;
      });
      try {
        server.edit(edits);
      } catch (error) {
        throw between.length > 0 && error instanceof FlowError ? changed : error;
      }
      const sent = { version: server.version, edits, between };
      keys.set(request.key, sent);
      if (!server.losesAnswer) return sent;
      server.losesAnswer = false;
      throw new ApiError('offline', 'Croft does not answer.', 0);
    },
  };
  return server;
}

export type FakeServer = ReturnType<typeof fakeServer>;

/** A page on a server; `kept` is what its tab keeps over a reload. */
export function openPage(
  server: FakeServer,
  {
    kept = {},
    retryMs = 0,
    pauseMs = 0,
    isOwner = () => true,
  }: { kept?: { unsent?: Unsent | undefined }; retryMs?: number; pauseMs?: number; isOwner?: () => boolean } = {},
) {
  const clock = { ms: 0 };
  const store = createEditStore({
    version: server.version,
    document: server.document,
    server,
    unsent: {
      read: () => kept.unsent,
      write: (unsent) => {
        kept.unsent = unsent && (JSON.parse(JSON.stringify(unsent)) as Unsent);
      },
    },
    isOwner,
    now: () => clock.ms,
    pauseMs,
    retryMs,
  });
  return { store, kept, clock };
}
