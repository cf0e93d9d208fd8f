import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsOf, makeTurn, memoryCanvas, type MemoryCanvas } from '@croft/assistant/testing';
import { builtinRegistry, closeSandbox, readComponent } from '@croft/components';
import {
  type Component,
  edgeKey,
  emptyFlow,
  type FlowDocument,
  parseFlow,
  printSpec,
  type Registry,
  runToEnd,
  specOf,
} from '@croft/flow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realData } from '../support/real-data.ts';
import { editsBetween } from './edits-between.ts';
import { NotExpressible, word } from './request-sources.ts';
import { requestToFlow } from './request-to-flow.ts';
import type { RequestEdit, RequestGraph, Solutions } from './requests.ts';
import { type Call, modelThat } from './model-that.ts';
import { stubbedRegistry } from './stubbed-registry.ts';

const data = realData('flow-requests');
const read = <T>(file: string): T => JSON.parse(readFileSync(join(data as string, file), 'utf8')) as T;
const registry = builtinRegistry() as Registry<Component>;

/** One conversation of the data: the flow after each round, as one model built it. */
interface Rounds {
  readonly task: string;
  readonly model: string;
  readonly flows: readonly FlowDocument[];
}

const flowOf = (task: string, graph: RequestGraph): FlowDocument | undefined => {
  try {
    return parseFlow(requestToFlow(task, graph));
  } catch (error) {
    if (error instanceof NotExpressible) return undefined;
    throw error;
  }
};

/** Each recorded change with those that continue it. A task without changes has the first round only. */
function conversations(): Rounds[] {
  const edits = read<readonly (RequestEdit & { readonly model: string })[]>('edits.json');
  const chains = edits
    .filter(
      ({ task, model, from }) => !edits.some((each) => each.task === task && each.model === model && each.to === from),
    )
    .map((first) => {
      const graphs = [first.before, first.after];
      for (let last = first; ; ) {
        const next = edits.find(
          ({ task, model, from, before }) =>
            task === last.task &&
            model === last.model &&
            from === last.to &&
            JSON.stringify(before) === JSON.stringify(last.after),
        );
        if (next === undefined) break;
        graphs.push(next.after);
        last = next;
      }
      return { task: first.task, model: first.model, graphs };
    });
  const seen = new Set(chains.map(({ task }) => task));
  const single = Object.entries(read<Solutions>('solutions.json')).flatMap(([name, list]) => {
    const [task = '', round] = name.split('_');
    return seen.has(task) || round !== '1'
      ? []
      : list.map(({ model, workflow }) => ({ task, model, graphs: [workflow] }));
  });
  return [...chains, ...single].flatMap(({ task, model, graphs }) => {
    const flows = graphs.map((graph) => flowOf(task, graph));
    return flows.every((flow) => flow !== undefined) ? [{ task, model, flows: withoutRepeats(flows) }] : [];
  });
}

/** One recorded round leaves the flow as it was: it asks for nothing that could land. */
const withoutRepeats = (flows: readonly FlowDocument[]): FlowDocument[] =>
  flows.filter((flow, round) => round === 0 || textOf(flow) !== textOf(flows[round - 1] as FlowDocument));

const textOf = (flow: FlowDocument): string => JSON.stringify(shapeOf(flow, (id) => id));

/** Calls that carry the edits of a round out. New components get their ids from the results. */
async function editBy(call: Call, before: FlowDocument, after: FlowDocument, ids: Map<string, string>): Promise<void> {
  const real = (id: string) => ids.get(id) ?? id;
  const removed = new Set(
    editsBetween(before, after).flatMap((edit) => (edit.kind === 'remove_component' ? [edit.id] : [])),
  );
  // A component of another type in the place of one takes its connections along.
  const staying = before.edges.filter(({ from, to }) => !removed.has(from.node) && !removed.has(to.node));
  const existing = new Set(staying.map(edgeKey));
  for (const edit of editsBetween(before, after)) {
    if (edit.kind === 'disconnect' || edit.kind === 'connect') {
      if (edit.kind === 'connect' && existing.has(edgeKey(edit.edge))) continue;
      const { from, to } = edit.edge;
      await call(`${edit.kind}_components`, {
        source_id: real(from.node),
        source_output: from.port,
        target_id: real(to.node),
        target_input: to.port,
      });
    } else if (edit.kind === 'remove_component') {
      await call('remove_component', { component_id: real(edit.id) });
      ids.delete(edit.id);
    } else if (edit.kind === 'add_component') {
      const { type, values, id } = edit.node;
      const added = await call('add_component', { component_type: type });
      ids.set(id, String(added['id']));
      if (Object.keys(values).length > 0) await call('configure_component', { component_id: real(id), params: values });
    } else if (edit.kind === 'configure') {
      const unset = Object.fromEntries((edit.unset ?? []).map((name) => [name, '']));
      await call('configure_component', { component_id: real(edit.id), params: { ...edit.values, ...unset } });
    }
  }
}

/** The content of a flow without places, and with the names of the data in place of ids. */
function shapeOf(flow: FlowDocument, nameOf: (id: string) => string): unknown {
  const nodes = flow.nodes.map(({ id, type, values }) => ({
    id: nameOf(id),
    type,
    values: Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== '')
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }));
  const edges = flow.edges.map(({ from, to }) => `${nameOf(from.node)}.${from.port} -> ${nameOf(to.node)}.${to.port}`);
  return { nodes: nodes.sort((a, b) => (a.id < b.id ? -1 : 1)), edges: edges.sort() };
}

async function playRound(
  canvas: MemoryCanvas,
  round: number,
  flows: readonly FlowDocument[],
  ids: Map<string, string>,
): Promise<void> {
  const before = round === 0 ? emptyFlow() : (flows[round - 1] as FlowDocument);
  const after = flows[round] as FlowDocument;
  const textsBefore = new Map(canvas.flow.nodes.map((node) => [node.id, JSON.stringify(node)]));
  const models = modelThat(round === 0 ? 'new' : 'edit', async (call) => {
    if (round > 0) return editBy(call, before, after, ids);
    const built = await call('build_flow', { spec: printSpec(specOf(after)) });
    for (const [own, id] of Object.entries(built['node_id_map'] as Record<string, string>)) ids.set(own, id);
  });
  const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'change the flow', skipAll: true }));
  expect(events.at(-1), JSON.stringify(events.at(-1))).toMatchObject({ event: 'complete' });
  if (round === 0) return;
  expect(events.some((each) => each.event === 'flow_update' && each.action === 'set_flow')).toBe(false);
  const touched = new Set(
    editsBetween(before, after).flatMap((edit) => {
      if (edit.kind === 'connect' || edit.kind === 'disconnect') return [edit.edge.from.node, edit.edge.to.node];
      return edit.kind === 'configure' ? [edit.id] : [];
    }),
  );
  for (const [own, id] of ids)
    if (textsBefore.has(id) && !touched.has(own))
      expect(JSON.stringify(canvas.flow.nodes.find((node) => node.id === id))).toBe(textsBefore.get(id));
}

afterAll(closeSandbox);

describe.skipIf(data === undefined)('recorded requests, round after round on one canvas', () => {
  let all: readonly Rounds[] = [];
  beforeAll(async () => {
    all = conversations();
    const codes = new Set(
      all.flatMap(({ flows }) =>
        flows.flatMap(({ nodes }) =>
          nodes.flatMap(({ values }) => (typeof values['code'] === 'string' ? [values['code']] : [])),
        ),
      ),
    );
    for (const code of codes) await readComponent(code);
  });

  it('land as edits after the first one, leave untouched components as they are, and run with a stub model', async () => {
    const stubbed = stubbedRegistry(registry);
    let rounds = 0;
    for (const { task, model, flows } of all) {
      const canvas = memoryCanvas();
      const ids = new Map<string, string>();
      for (const [round, flow] of flows.entries()) {
        await playRound(canvas, round, flows, ids);
        const own = new Map([...ids].map(([name, id]) => [id, name]));
        const about = `${task} by ${model}, round ${round + 1}`;
        expect(
          shapeOf(canvas.flow, (id) => own.get(id) ?? id),
          about,
        ).toEqual(shapeOf(flow, (id) => id));
        const inputs = Object.fromEntries(
          canvas.flow.nodes.flatMap(({ id, type }) => (type === 'TextInput' ? [[id, { input_value: 'given' }]] : [])),
        );
        const ran = await runToEnd(canvas.flow, { registry: stubbed, services: {}, inputs });
        expect({ about, status: ran.status, failure: ran.failure }).toMatchObject({ status: 'completed' });
        rounds++;
      }
    }
    const tasks = new Set(all.map(({ task }) => task));
    // The data has no graph of the ninth task, Mermaid.
    // Data with more tasks has these too.
    expect([...tasks]).toEqual(
      expect.arrayContaining([
        'Code',
        'FormulaOCR',
        'GithubSummary',
        'HTML',
        'PaperDeepReader',
        'Podcast',
        'StoryPPT',
        'StudyPlanner',
      ]),
    );
    expect(rounds).toBeGreaterThan(80);
  });

  it('have the inputs and outputs that the request names', () => {
    interface Expected {
      readonly input_var: readonly string[];
      readonly output_var: readonly (string | readonly string[])[];
    }
    const expected = read<Readonly<Record<string, Expected>>>('expected.json');
    for (const { task, model, flows } of all) {
      const wanted = expected[`${task}_1`] as Expected;
      const ids = (flows[0] as FlowDocument).nodes.map(({ id }) => id);
      for (const name of [...wanted.input_var, ...wanted.output_var.flat()])
        expect(
          ids.some((id) => id.endsWith(`__${word(name)}`)),
          `${task} by ${model}: ${name}`,
        ).toBe(true);
    }
  });
});
