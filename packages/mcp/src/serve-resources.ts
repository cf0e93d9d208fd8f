import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';

/** Documents of a caller, as MCP resources. */
export interface ServedResources {
  /** The form of their addresses, such as `croft://flows/{id}`. */
  readonly template: {
    readonly uriTemplate: string;
    readonly name: string;
    readonly description: string;
    readonly mimeType: string;
  };
  /** One page. `cursor` is the `nextCursor` of the page before. */
  list(cursor: string | undefined): Promise<{
    readonly resources: readonly { readonly uri: string; readonly name: string; readonly description?: string }[];
    readonly nextCursor?: string;
  }>;
  /** The text of a document; `undefined` where the caller has none at this address. */
  read(uri: string): Promise<string | undefined>;
}

/** Answers requests for resources. */
export function serveResources(server: Server, { template, list, read }: ServedResources): void {
  const { mimeType } = template;
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [{ ...template }] }));
  server.setRequestHandler('resources/list', async ({ params }) => {
    const { resources, nextCursor } = await list(params?.cursor);
    return {
      resources: resources.map((each) => ({ ...each, mimeType })),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const text = await read(uri);
    if (text === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType, text }] };
  });
}
