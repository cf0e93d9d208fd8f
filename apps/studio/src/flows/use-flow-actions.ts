import type { Edit, FlowDocument } from '@croft/flow';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import {
  deletedFlowsQuery,
  type FlowListPage,
  FLOWS_KEY,
  type FlowSummary,
  flowTagsQuery,
  type FlowTemplate,
  flowQuery,
  type FullFlow,
  leavingFlows,
} from '../api/flows.ts';
import { openAssistant } from '../assistant/open-assistant.ts';
import { downloadText } from '../files/download-text.ts';
import { navigate } from '../routing/location.ts';
import { toast, toastError } from '../ui/toast.tsx';
import type { FlowDetails } from './details-dialog.tsx';
import { fileNameOf, sourceOf } from './read-flow-file.ts';
import { addSampleFiles } from './sample-files.ts';

/** The actions on flows. Each shows its own errors, except `create` and `importFile`, which throw. */
export function useFlowActions() {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [...FLOWS_KEY, 'list'] }),
      client.invalidateQueries({ queryKey: flowTagsQuery.queryKey }),
      client.invalidateQueries({ queryKey: deletedFlowsQuery.queryKey }),
    ]);
  /** Opens a new flow without loading it again, at a component where one is given. */
  function open(flow: FullFlow, component?: string) {
    client.setQueryData(flowQuery(flow.id).queryKey, flow);
    void refresh();
    navigate(`/flows/${flow.id}${component === undefined ? '' : `?${new URLSearchParams({ component }).toString()}`}`);
  }
  async function attempt(work: () => Promise<unknown>) {
    try {
      await work();
    } catch (error) {
      toastError(error);
    }
  }
  /** Takes a flow out of the lists, so that no row shows a flow that is going, or asks for it. */
  async function hide(id: string) {
    const queryKey = [...FLOWS_KEY, 'list'];
    leavingFlows.add(id);
    await Promise.all([client.cancelQueries({ queryKey }), client.cancelQueries({ queryKey: flowQuery(id).queryKey })]);
    client.setQueriesData<InfiniteData<FlowListPage>>({ queryKey }, (data) => {
      const without = (page: FlowListPage) => ({ ...page, flows: page.flows.filter((each) => each.id !== id) });
      return data && { ...data, pages: data.pages.map(without) };
    });
  }
  /** Takes a deletion back. */
  async function restore({ id }: Pick<FlowSummary, 'id'>) {
    await api('POST /api/v1/deleted-flows/{id}/restore', { params: { id } });
    await refresh();
  }
  async function create(template?: FlowTemplate) {
    if (!template) return open((await untouchedFlow()) ?? (await api('POST /api/v1/flows', { body: {} })).flow);
    await addSampleFiles(template);
    const { flow } = await api('POST /api/v1/flows', { body: { template: template.name } });
    const edit = sampleMessage(flow, template);
    if (!edit) return open(flow, triggerIn(flow));
    const { id, version: base } = flow;
    await api('POST /api/v1/flows/{id}/edits', { params: { id }, body: { base, edits: [edit] } });
    return open((await api('GET /api/v1/flows/{id}', { params: { id } })).flow);
  }
  return {
    open,
    refresh,
    /** Opens a flow from a template, with the files that the template reads, or an empty one: an unchanged one if there is one. */
    create,
    /** Opens an empty flow with the assistant. */
    describe: () =>
      attempt(async () => {
        await create();
        openAssistant();
      }),
    /** Creates a flow from a file. */
    async importFile(file: File) {
      const made = await api('POST /api/v1/flows/import', { body: { source: sourceOf(await file.text()) } });
      void refresh();
      return made;
    },
    duplicate: ({ id, name }: FlowSummary) =>
      attempt(async () => {
        const { flow } = await api('POST /api/v1/flows/{id}/duplicate', { params: { id } });
        await refresh();
        toast({ text: `Duplicated “${name}”.`, action: { label: 'Open', run: () => open(flow) } });
      }),
    /** Downloads a flow. Secrets are left out. */
    exportFlow: ({ id, name }: Pick<FlowSummary, 'id' | 'name'>) =>
      attempt(async () => {
        const { document: content, removed } = await api('GET /api/v1/flows/{id}/export', { params: { id } });
        downloadText(fileNameOf(name), `${JSON.stringify(content, null, 2)}\n`, 'application/json');
        const secrets = removed.length === 1 ? '1 secret was' : `${removed.length} secrets were`;
        toast({ text: removed.length === 0 ? `Exported “${name}”.` : `Exported “${name}”. ${secrets} left out.` });
      }),
    remove: ({ id, name }: FlowSummary) =>
      attempt(async () => {
        await hide(id);
        const { isRestorable } = await api('DELETE /api/v1/flows/{id}', { params: { id } }).finally(() => {
          leavingFlows.delete(id);
          void refresh();
        });
        client.removeQueries({ queryKey: flowQuery(id).queryKey });
        const putBack = async () => {
          await restore({ id });
          toast({ text: `Restored “${name}”.` });
        };
        const undo = { label: 'Undo', run: () => void attempt(putBack) };
        toast(
          isRestorable
            ? { text: `Deleted “${name}”.`, action: undo }
            : { text: `Deleted “${name}” for good: it is too large to be kept.` },
        );
      }),
    /** @throws ApiError */
    async rename({ id, version: base }: FlowSummary, changed: Partial<FlowDetails>) {
      const edits: Edit[] = [{ kind: 'set_details', ...changed }];
      await api('POST /api/v1/flows/{id}/edits', { params: { id }, body: { base, edits } });
      await Promise.all([refresh(), client.invalidateQueries({ queryKey: flowQuery(id).queryKey })]);
    },
    /** @throws ApiError */
    async setTags({ id }: FlowSummary, tags: readonly string[]) {
      await api('PUT /api/v1/flows/{id}/tags', { params: { id }, body: { tags: [...tags] } });
      await refresh();
    },
    /** @throws ApiError */
    restore,
  };
}

/** The name of a flow that nothing has named. */
const UNNAMED = 'Untitled flow';

/** An empty flow of the user that was never changed, and about which the assistant knows no conversation. */
async function untouchedFlow(): Promise<FullFlow | undefined> {
  const { flows } = await api('GET /api/v1/flows', { query: { search: UNNAMED } });
  const found = flows.find(({ name, version, access }) => name === UNNAMED && version === 1 && access === 'owner');
  if (!found) return undefined;
  const [{ flow }, { sessions }] = await Promise.all([
    api('GET /api/v1/flows/{id}', { params: { id: found.id } }),
    api('GET /api/v1/agentic/sessions', { query: { flow_id: found.id } }),
  ]);
  const { nodes, notes } = flow.document as unknown as FlowDocument;
  return [nodes, notes, sessions].every(({ length }) => length === 0) ? flow : undefined;
}

/** The edit that gives the flow's input the message with which the template can be tried. */
function sampleMessage(flow: FullFlow, { input }: FlowTemplate): Edit | undefined {
  const { nodes } = flow.document as unknown as FlowDocument;
  const node = nodes.find(({ type }) => type === 'ChatInput') ?? nodes.find(({ type }) => type === 'TextInput');
  if (input === null || node === undefined) return undefined;
  return { kind: 'configure', id: node.id, values: { input_value: input } };
}

/** The component that a webhook or a schedule of a flow starts: the page has its address or its times there. */
function triggerIn(flow: FullFlow): string | undefined {
  const { nodes } = flow.document as unknown as FlowDocument;
  return nodes.find(({ type }) => type === 'Webhook' || type === 'ScheduleTrigger')?.id;
}
