import type { Edit, FlowDocument } from '@croft/flow';
import { api } from '../api/api.ts';
import { ApiError, offline } from '../api/request.ts';

/** Edits of one version. */
export interface Entry {
  readonly version: number;
  readonly edits: readonly Edit[];
}

export interface EditRequest {
  /** The version that the edits know. */
  readonly base: number;
  readonly edits: readonly Edit[];
  /** The same key again changes nothing and gives the first answer. */
  readonly key: string;
}

/** The edits have this version, and these entries came after the base and before them. */
export interface Sent {
  readonly version: number;
  /** The edits as the server applied them: new nodes have the code of the user's components. */
  readonly edits: readonly Edit[];
  readonly between: readonly Entry[];
}

/** The requests of the store of edits. */
export interface EditServer {
  /** @throws ApiError `changed` where others changed the same parts after the base */
  send(request: EditRequest): Promise<Sent>;
  /** The entries after a version. One entry with the whole document where they are not kept any more. @throws ApiError */
  entriesAfter(version: number): Promise<readonly Entry[]>;
}

/** A request without an answer counts as lost after this time, and is repeated. */
const ANSWER_MS = 30_000;

/** The edits of one flow over the API. */
export function createEditServer(id: string): EditServer {
  return {
    async send(request) {
      const body = { ...request, edits: [...request.edits], overwrite: false };
      const signal = AbortSignal.timeout(ANSWER_MS);
      const sending = api('POST /api/v1/flows/{id}/edits', { params: { id }, body, signal });
      const { version, edits, between } = await sending.catch((error: unknown) => {
        throw signal.aborted ? offline() : error;
      });
      return { version, edits: edits as readonly Edit[], between: between as readonly Entry[] };
    },
    async entriesAfter(version) {
      try {
        const { entries } = await api('GET /api/v1/flows/{id}/edits', { params: { id }, query: { after: version } });
        return entries as readonly Entry[];
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'changed') throw error;
        const { flow } = await api('GET /api/v1/flows/{id}', { params: { id } });
        // The server sends only documents that it has parsed.
        const document = flow.document as unknown as FlowDocument;
        return [{ version: flow.version, edits: [{ kind: 'set_flow', flow: document }] }];
      }
    },
  };
}
