import { connectPorts, nodeTitle } from '@croft/flow';
import { refused } from '../component-values.ts';
import { questionAbout } from '../draft/approval.ts';
import { namesOf, writesIn } from '../draft/approval-before.ts';
import { inputOf } from '../draft/chain.ts';
import { APPROVAL } from '../draft/from-components.ts';
import type { RequestParts } from '../draft/request-parts.ts';
import { FILE_NAME } from '../draft/file-form.ts';
import { newComponent } from '../flow-parts.ts';
import { failed, next, type ToolContext, type ToolData } from './assistant-tool.ts';

/** Adds the decision of a person before the component that writes what the request names. For `croft/offline`. */
export async function addApproval(parts: RequestParts, run: boolean, context: ToolContext): Promise<ToolData> {
  const { working, turn } = context;
  const { registry } = turn;
  const flow = await working.read();
  const descriptor = registry.get(APPROVAL)?.descriptor;
  const input = descriptor && inputOf(descriptor)?.name;
  const output = descriptor?.outputs[0]?.name;
  if (descriptor === undefined || input === undefined || output === undefined)
    return failed('Nothing was added: no component here asks a person.');
  const writes = writesIn(flow, parts, registry);
  const [only, ...others] = writes;
  const files = [...parts.targets, ...parts.paths].join(', ');
  if (only === undefined) {
    const what = files === '' ? 'anything' : files;
    const first = `add a step that writes the result to ${parts.targets[0] ?? parts.paths[0] ?? 'out.txt'}`;
    return failed(
      `Nothing was added: no component of the flow writes ${what}. Add that step first, write: ${first}. Then ask for the question again.`,
    );
  }
  if (others.length > 0)
    return failed(
      `Nothing was added: several components write: ${namesOf(writes, registry)}. Name the file, for example: add a step that asks me before it writes out.txt.`,
    );
  if (flow.nodes.find(({ id }) => id === only.edge.from.node)?.type === APPROVAL)
    return failed(`Nothing was added: “${descriptor.label}” is before “${nodeTitle(only.node, registry)}” already.`);
  const node = newComponent(flow, registry, APPROVAL);
  const file = only.node.values[FILE_NAME];
  const written = typeof file === 'string' && file !== '' ? [file] : [];
  if ('error' in node) return refused(node);
  await working.apply([
    { kind: 'add_component', node: { ...node, values: { ...node.values, ...questionAbout(written) } } },
    { kind: 'disconnect', edge: only.edge },
  ]);
  for (const edge of [
    { from: only.edge.from, to: { node: node.id, port: input } },
    { from: { node: node.id, port: output }, to: only.edge.to },
  ])
    await working.apply(connectPorts(await working.read(), registry, edge));
  const summary = `Added “${descriptor.label}”, before “${nodeTitle(only.node, registry)}”: it writes only what you approve.`;
  return { text: summary, summary, ...(run && next('run_flow', {})) };
}
