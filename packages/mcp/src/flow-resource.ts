import type { ServedResources } from './serve-resources.ts';

/** The resources of a server with flows. `croft mcp --flows` passes them on. */
export const FLOW_RESOURCE: ServedResources['template'] = {
  uriTemplate: 'croft://flows/{id}',
  name: 'flow',
  description: 'A flow as JSON, without secrets.',
  mimeType: 'application/json',
};
