import type { FlowDocument, Registry } from '@croft/flow';
import { draftSpec, withGaps } from '../draft-spec.ts';
import { flowPage } from '../flow-page.ts';
import { type AssistantTool, failed, textOf, textParameters, type ToolData } from './assistant-tool.ts';

/**
 * Tools for `croft/offline`, which cannot write texts: rules write them. Each result names the next call, which the model
 * makes, so that every change goes through the tools of all models.
 */
export const OFFLINE_TOOLS: readonly AssistantTool[] = [
  {
    name: 'draft_flow',
    description:
      'Drafts a new flow that does something: build, create, make or set up a flow, chatbot or pipeline from a description.',
    parameters: textParameters({ request: "The purpose of the flow, in the user's own words." }),
    label: () => 'Drafting the flow',
    run: (args, { turn }) => {
      const drafted = draftSpec(textOf(args, 'request'), turn.registry, turn.templates);
      if (drafted === undefined)
        return failed(
          'No template or component fits this description. Name what comes in, what happens to it and what goes out, or pick a template from the page Flows.',
        );
      return { text: `Drafted: ${drafted.from}.`, ...next('build_flow', { spec: drafted.spec }) };
    },
  },
  {
    name: 'document_flow',
    description: 'Documents the flow: describes it in a Markdown file.',
    parameters: textParameters({ path: 'Path of the Markdown file, relative.' }),
    label: () => 'Describing the flow',
    async run(args, { turn, working }) {
      const flow = await working.read();
      if (flow.nodes.length === 0) return failed('The canvas is empty. Build a flow first.');
      const content = flowPage(flow, turn.registry);
      return { text: 'Described the flow.', ...next('write_file', { path: textOf(args, 'path'), content }) };
    },
  },
  {
    name: 'change_text',
    description: 'Changes the text that the flow shows to another text.',
    parameters: textParameters({ new_text: 'The new text.' }),
    label: () => 'Looking for the text',
    async run(args, { turn, working }) {
      const found = textFields(await working.read(), turn.registry);
      const [only] = found;
      if (found.length !== 1 || only === undefined)
        return failed(
          found.length === 0
            ? 'No component of the flow has a text to change.'
            : `Several components have a text: ${found.map(({ node }) => node).join(', ')}. Name one: set pattern of COMPONENT to "…".`,
        );
      const edit = { component_id: only.node, field_name: only.field, new_value: withGaps(textOf(args, 'new_text')) };
      return { text: `Found ${only.node}.`, ...next('propose_field_edit', edit) };
    },
  },
];

const next = (tool: string, args: Readonly<Record<string, unknown>>): ToolData => ({ next: { tool, arguments: args } });

/** Fields with a text of the user that the flow's result is made of. */
function textFields({ nodes }: FlowDocument, registry: Registry) {
  return nodes.flatMap(({ id, type, values }) =>
    (registry.get(type)?.descriptor.fields ?? [])
      .filter(({ name, kind }) => kind === 'multiline' && typeof values[name] === 'string' && values[name] !== '')
      .map(({ name }) => ({ node: id, field: name })),
  );
}
