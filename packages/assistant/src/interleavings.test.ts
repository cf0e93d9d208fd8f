import { builtinRegistry } from '@croft/components';
import { buildFromSpec, type Edit, type FlowDocument } from '@croft/flow';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventsOf, makeTurn, type MemoryCanvas, memoryCanvas, type ScriptedStep, scriptedModels } from './testing.ts';
import type { Canvas, FlowRuns } from './turn.ts';

const registry = builtinRegistry();
const NODES = ['A', 'B', 'C'];

function startFlow(): FlowDocument {
  const spec = `nodes:\n${NODES.map((id) => `  ${id}: PromptTemplate`).join('\n')}\nedges:\n  A.prompt -> B.tool_placeholder\n  B.prompt -> C.tool_placeholder\nconfig:\n${NODES.map((id) => `  ${id}.template: own`).join('\n')}\n`;
  const built = buildFromSpec(spec, registry, (_, id) => id);
  if ('error' in built) throw new Error(built.details);
  return built.flow;
}
/** Flows do not change: each state of a canvas is a new one. */
const START = startFlow();
const ECHO = 'nodes:\n  I: TextInput\n  O: TextOutput\nedges:\n  I.text -> O.input_value\n';
const call = (tool: string, args: Readonly<Record<string, unknown>> = {}): ScriptedStep => ({ tool, args });

/** A change of a person at the page or of a client of the API, just before the turn reaches the canvas for the n-th time. */
interface Change {
  readonly at: number;
  readonly by: 'person' | 'client';
  readonly kind: 'configure' | 'add' | 'move' | 'rename';
}

const changes = fc.array(
  fc.record({
    at: fc.nat({ max: 30 }),
    by: fc.constantFrom('person' as const, 'client' as const),
    kind: fc.constantFrom('configure' as const, 'add' as const, 'move' as const, 'rename' as const),
  }),
  { maxLength: 8 },
);

function editOf({ by, kind }: Change, index: number): Edit {
  const id = NODES[index % NODES.length] as string;
  if (kind === 'configure') return { kind, id, values: { [`${by}_${index}`]: index } };
  if (kind === 'move') return { kind, positions: { [id]: { x: index, y: -index } } };
  if (kind === 'rename') return { kind, id, name: `${by} ${index}` };
  const node = { id: `${by}-${index}`, type: 'PromptTemplate', position: { x: 0, y: 900 }, values: { template: 'x' } };
  return { kind: 'add_component', node };
}

/** The canvas, with changes of others between any two operations of the turn. */
function busyCanvas(canvas: MemoryCanvas, planned: readonly Change[]): Canvas & { finish(): void } {
  let count = 0;
  const done = new Set<number>();
  const carryOut = (isDue: (change: Change) => boolean) => {
    for (const [index, change] of planned.entries())
      if (!done.has(index) && isDue(change)) {
        done.add(index);
        canvas.change([editOf(change, index)]);
      }
  };
  const before =
    <Args extends readonly unknown[], Result>(act: (...args: Args) => Result) =>
    (...args: Args): Result => {
      carryOut(({ at }) => at <= count);
      count++;
      return act(...args);
    };
  return {
    read: before(canvas.read),
    edit: before(canvas.edit),
    editExactly: before(canvas.editExactly),
    undo: before(canvas.undo),
    checkpoint: before(canvas.checkpoint),
    finish: () => carryOut(() => true),
  };
}

it('loses no change of a person, a client of the API or the assistant, in 500 orders of them', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (planned) => {
      const canvas = memoryCanvas(START);
      const busy = busyCanvas(canvas, planned);
      const ranWith: string[][] = [];
      const runs: FlowRuns = {
        read: async () => undefined,
        latest: async () => undefined,
        async start(_, version) {
          const { flow, version: now } = await busy.read();
          if (version !== now) return undefined;
          ranWith.push(flow.nodes.map(({ type }) => type));
          const metrics = { duration_seconds: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
          return {
            id: 'run',
            cancel: () => undefined,
            ended: Promise.resolve({ status: 'completed', text: 'ok', metrics }),
          };
        },
      };
      const models = scriptedModels([
        ['{"intent": "build_flow", "scope": "new"}'],
        [
          call('add_component', { component_type: 'CurrentDate' }),
          call('build_flow', { spec: ECHO }),
          call('configure_component', { component_id: 'C', params: { template: 'x' } }),
          call('run_flow'),
          'Done.',
        ],
      ]);
      const events = await eventsOf(
        makeTurn(registry, { canvas: busy, models, runs, message: 'build', skipAll: true }),
      );
      busy.finish();
      expect(events.at(-1)).toMatchObject({ event: 'complete' });
      const { nodes } = canvas.flow;
      const find = (id: string) => nodes.find((node) => node.id === id);
      for (const [index, change] of planned.entries()) {
        const edit = editOf(change, index);
        if (edit.kind === 'configure') expect(find(edit.id)?.values).toMatchObject(edit.values);
        if (edit.kind === 'add_component') expect(find(edit.node.id)).toEqual(edit.node);
      }
      // Of several names and places of one component the newest counts.
      for (const id of NODES) {
        const own = planned
          .map((change, index) => ({ edit: editOf(change, index), at: change.at, index }))
          .sort((a, b) => a.at - b.at || a.index - b.index)
          .map(({ edit }) => edit);
        const names = own.flatMap((edit) => (edit.kind === 'rename' && edit.id === id ? [edit.name] : []));
        expect(names.length === 0 || names.includes(find(id)?.name ?? null)).toBe(true);
        expect(find(id)?.type).toBe('PromptTemplate');
      }
      for (const type of ['CurrentDate', 'TextInput', 'TextOutput'])
        expect(nodes.filter((node) => node.type === type)).toHaveLength(1);
      expect(find('C')?.values).toMatchObject({ template: 'x' });
      expect(ranWith.at(-1)).toEqual(expect.arrayContaining(['CurrentDate', 'TextInput', 'TextOutput']));
    }),
    { numRuns: 500 },
  );
});
