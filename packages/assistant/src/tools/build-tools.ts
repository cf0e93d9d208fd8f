import { buildFromSpecInParts, type FlowDocument, inTurns, SPEC_HELP } from '@croft/flow';
import { orphansOf } from '../flow-parts.ts';
import {
  type AssistantTool,
  failed,
  quotedList,
  textOf,
  textParameters,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';

const AGAIN =
  'Correct the spec using the error above and call build_flow again NOW — do NOT re-run search_components or describe_component for components you already inspected this turn.';

const FOR_EDITS =
  'The user asked to change the flow on the canvas, not for a new one. Use add_component, connect_components, configure_component, remove_component or disconnect_components.';

/** Tools that make whole flows. */
export const BUILD_TOOLS: readonly AssistantTool[] = [
  {
    name: 'build_flow',
    needs: 'change',
    description:
      'Builds a new flow from a text and proposes it to the user; run_flow afterwards puts it on the canvas and runs it. Every component needs a connection. Only for new flows: change an existing flow with the other tools.',
    parameters: textParameters({ spec: SPEC_HELP }),
    label: () => 'Building the flow',
    run: (args, context) => {
      if (context.isEdit) return forEdits();
      const { template, input } = context.notes;
      context.notes.template = context.notes.input = undefined;
      return buildFlow(textOf(args, 'spec'), context, { template, input });
    },
  },
  {
    name: 'use_template',
    needs: 'change',
    description: 'Builds a new flow from a template and proposes it to the user.',
    parameters: textParameters({ template_name: 'The name, as list_templates gives it.' }),
    label: (args) => `Applying template ${textOf(args, 'template_name')}`,
    run: (args, context) => {
      if (context.isEdit) return forEdits();
      const { templates } = context.turn;
      const name = textOf(args, 'template_name');
      const found = templates.find((each) => each.name === name);
      if (found !== undefined) return buildFlow(found.spec, context, { template: name, input: found.input });
      return failed(
        `Unknown template '${name.slice(0, 100)}'. Available templates: ${templates.map((each) => each.name).join(', ')}`,
      );
    },
  },
];

/** The template of a flow, and the message with which it can be tried. */
interface Origin {
  readonly template: string | undefined;
  readonly input: string | undefined;
}

async function buildFlow(spec: string, context: ToolContext, { template, input }: Origin): Promise<ToolData> {
  const { turn, working, signal } = context;
  const built = await inTurns(buildFromSpecInParts(spec, turn.registry), { signal });
  signal.throwIfAborted();
  if ('error' in built) {
    const text = `Flow build failed: ${built.error}\nDetails: ${built.details}\n${AGAIN}`;
    const summary = `Nothing was built: ${built.details}`;
    return { error: built.error, details: built.details, text, summary };
  }
  const orphans = orphansOf(built.flow);
  if (orphans.length > 0) {
    const text = `Flow build rejected: orphan components with no edges: ${quotedList(orphans)}. Either wire each component into the flow or remove it from the spec, then call build_flow again.`;
    const summary = `Nothing was built: these components have no connection: ${orphans.join(', ')}.`;
    return { error: text, text, orphans, summary };
  }
  await working.build(withMessage(built.flow, input), turn.skipAll === true, template);
  const { name, node_count, edge_count, node_id_map } = built;
  const where = turn.skipAll === true ? 'on the canvas' : 'as a proposal';
  return {
    text: `Flow '${name}' built successfully ${where} (${node_count} nodes, ${edge_count} edges).`,
    summary: `Built “${name}”: ${counted(node_count, 'component')}, ${counted(edge_count, 'connection')}.${usesOffline(built.flow, context) ? ` ${OFFLINE}` : ''}`,
    name,
    node_count,
    edge_count,
    node_id_map,
    ...(context.notes.runsBuilt === true && { next: { tool: 'run_flow', arguments: {} } }),
  };
}

const OFFLINE =
  'Its model is croft/offline, which follows simple requests by rules. Set up a model provider for real answers.';

/** Whether a component asks a language model, and no provider is set up. */
const usesOffline = ({ nodes }: FlowDocument, { turn: { models, registry } }: Pick<ToolContext, 'turn'>): boolean =>
  models.preferred.provider === 'croft' &&
  nodes.some(({ type }) => registry.get(type)?.descriptor.effects.includes('model') === true);

/** The flow with a message in its input that has none, as the page gives a new flow from a template. */
function withMessage(flow: FlowDocument, input: string | undefined): FlowDocument {
  const of = (type: string) => flow.nodes.find((node) => node.type === type);
  const target = of('ChatInput') ?? of('TextInput');
  if (input === undefined || (target?.values['input_value'] ?? '') !== '') return flow;
  const nodes = flow.nodes.map((node) =>
    node === target ? { ...node, values: { ...node.values, input_value: input } } : node,
  );
  return { ...flow, nodes };
}

const forEdits = (): ToolData =>
  failed(FOR_EDITS, {
    summary:
      'Nothing was built: the message asks for a change of the flow on the canvas. For another flow, write: build a new flow that …',
  });

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
