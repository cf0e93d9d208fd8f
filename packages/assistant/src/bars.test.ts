import { builtinRegistry } from '@croft/components';
import { buildFromSpec, type Edit, type FlowDocument } from '@croft/flow';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../../tests/support/collect-garbage.ts';
import { yardstickMs } from '../../../tests/support/yardstick.ts';
import type { AssistantEvent } from './events.ts';
import { evidenceOf } from './evidence.ts';
import { runTurn } from './run-turn.ts';
import { eventsOf, makeTurn, memoryCanvas, type ScriptedStep, scriptedModels } from './testing.ts';

const registry = builtinRegistry();

function flowOf(spec: string): FlowDocument {
  const built = buildFromSpec(spec, registry, (_, id) => `${id}-aaaaa`);
  if ('error' in built) throw new Error(built.details);
  return built.flow;
}
const chain = (count: number): FlowDocument => {
  const ids = Array.from({ length: count }, (_, at) => `N${at}`);
  const edges = ids.slice(1).map((id, at) => `  N${at}.prompt -> ${id}.tool_placeholder`);
  return flowOf(`nodes:\n${ids.map((id) => `  ${id}: PromptTemplate`).join('\n')}\nedges:\n${edges.join('\n')}\n`);
};
/** Flows do not change: each state of a canvas is a new one. */
const THREE = chain(3);
const TWO = chain(2);
const EDIT = ['{"intent": "build_flow", "scope": "edit"}'];
const add = (type: string): ScriptedStep => ({ tool: 'add_component', args: { component_type: type } });

it('loses no edit of a person or the assistant, in any order of the two', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 12 }), { maxLength: 8 }), async (places) => {
      const canvas = memoryCanvas(THREE);
      const models = scriptedModels([EDIT, [add('CurrentDate'), add('CalculatorComponent'), add('TextInput'), 'ok']]);
      const person = places.map((place, at): [number, Edit] => [
        place,
        { kind: 'configure', id: `N${at % 3}-aaaaa`, values: { [`own_${at}`]: at } },
      ]);
      let count = 0;
      for await (const _ of runTurn(makeTurn(registry, { canvas, models, message: 'add three' }))) {
        for (const [place, edit] of person) if (place === count) canvas.change([edit]);
        count++;
      }
      for (const [place, edit] of person) if (place >= count) canvas.change([edit]);
      expect(canvas.flow.nodes.slice(3).map(({ type }) => type)).toEqual([
        'CurrentDate',
        'CalculatorComponent',
        'TextInput',
      ]);
      for (const [at] of places.entries()) expect(canvas.flow.nodes[at % 3]?.values).toHaveProperty(`own_${at}`, at);
    }),
    { numRuns: 500 },
  );
});

it('leaves nothing half-applied when it is stopped at any event, and the next turn works', async () => {
  const script = () =>
    scriptedModels([EDIT, [add('CurrentDate'), { tool: 'validate_flow', args: {} }, add('TextInput'), 'ok']]);
  const all = await eventsOf(makeTurn(registry, { canvas: memoryCanvas(TWO), models: script(), message: 'add' }));
  for (let at = 0; at < all.length - 1; at++) {
    const canvas = memoryCanvas(TWO);
    const stop = new AbortController();
    const seen: AssistantEvent[] = [];
    for await (const event of runTurn(
      makeTurn(registry, { canvas, models: script(), message: 'add', signal: stop.signal }),
    )) {
      seen.push(event);
      if (seen.length === at + 1) stop.abort();
    }
    expect(seen.at(-1)?.event).toBe('cancelled');
    // An edit that was being stored when the turn stopped may have no event.
    const stored = canvas.flow.nodes.length - 2;
    expect([stored, stored - 1]).toContain(evidenceOf(seen).changes);
    const next = await eventsOf(makeTurn(registry, { canvas, models: script(), message: 'add' }));
    expect(next.at(-1)).toMatchObject({ event: 'complete' });
  }
});

it('sends the same instructions and tools in every turn, and at most 8,000 tokens for a flow of 300 components', async () => {
  const requests: string[] = [];
  const prefixes: string[] = [];
  for (const flow of [TWO, chain(300)]) {
    const models = scriptedModels([EDIT, [add('CurrentDate'), 'ok']]);
    const stream: typeof models.stream = (request) => {
      const tools = (request.tools ?? []).map(({ name, description, parameters }) => ({
        name,
        description,
        parameters,
      }));
      if (tools.length > 0) {
        prefixes.push(JSON.stringify([request.system, tools]));
        requests.push(JSON.stringify([request.system, tools, request.messages]));
      }
      return models.stream(request);
    };
    await eventsOf(
      makeTurn(registry, { canvas: memoryCanvas(flow), models: { ...models, stream }, message: 'add a date' }),
    );
  }
  expect(prefixes[0]).toBe(prefixes[1]);
  // Four characters a token is the usual rule of thumb.
  expect((requests[1] ?? '').length / 4).toBeLessThan(8_000);
});

it('keeps turns that run at the same time apart', async () => {
  const turns = Array.from({ length: 100 }, (_, at) => {
    const canvas = memoryCanvas(TWO);
    const models = scriptedModels([EDIT, [add('CurrentDate'), `reply ${at}`]]);
    return { canvas, models, turn: makeTurn(registry, { id: `turn-${at}`, canvas, models, message: `message ${at}` }) };
  });
  const all = await Promise.all(turns.map(({ turn }) => eventsOf(turn)));
  for (const [at, events] of all.entries()) {
    expect(events.at(-1)).toMatchObject({ event: 'complete', data: { result: `reply ${at}` } });
    expect(turns[at]?.models.prompts.join()).not.toMatch(new RegExp(`message (?!${at}\\b)`));
    expect(turns[at]?.canvas.flow.nodes).toHaveLength(3);
  }
});

it.each([
  ['English', 'Done, I built the flow and ran it. Everything works.'],
  ['German', 'Fertig, ich habe den Flow gebaut und ausgeführt.'],
  ['Portuguese', 'Pronto, criei o fluxo e executei.'],
  ['Spanish', 'Listo, construí el flujo y lo ejecuté.'],
  ['Japanese', '完了しました。フローを作成して実行しました。'],
  ['Chinese', '完成了，我创建并运行了流程。'],
])('contradicts a model that claims a run in %s', async (_, lie) => {
  const spec = 'nodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
  const models = scriptedModels([
    ['{"intent": "build_flow", "scope": "new"}'],
    [{ tool: 'build_flow', args: { spec } }, lie],
  ]);
  const events = await eventsOf(makeTurn(registry, { models, message: 'build it and run it' }));
  expect(events.at(-1)).toMatchObject({
    data: { result: lie, status_line: expect.stringMatching(/^Built, not in the flow yet.*not run\.$/) },
  });
});

const BUILD =
  'nodes:\n  I: ChatInput\n  P: PromptTemplate\n  O: ChatOutput\nedges:\n  I.message -> P.text\n  P.prompt -> O.input_value\nconfig:\n  P.template: "Say {text}"\n';
/** A message that is understood, reads, builds a flow, changes it and runs it. */
const wholeTurn = () =>
  makeTurn(registry, {
    models: scriptedModels([
      ['{"intent": "build_flow", "scope": "new"}'],
      [
        { tool: 'search_components', args: { query: 'prompt' } },
        { tool: 'describe_component', args: { component_type: 'PromptTemplate' } },
        { tool: 'build_flow', args: { spec: BUILD } },
        { tool: 'run_flow', args: { message: 'hello' } },
        'Done.',
      ],
    ]),
    message: 'build it and run it',
  });

/** The bars of a turn are 30 ms, and 100 ms until it stops; the yardstick takes 10 ms on that machine. */
const bar = (ms: number): number => (ms / 10) * yardstickMs();

it('takes at most three yardsticks for a turn beside its model, and names the turn before it asks a model', async () => {
  const turnMs = async () => {
    const turn = wholeTurn();
    const order: string[] = [];
    const stream: typeof turn.models.stream = (request) => {
      order.push('asked');
      return turn.models.stream(request);
    };
    const from = performance.now();
    for await (const { event } of runTurn({ ...turn, models: { ...turn.models, stream } }))
      if (event === 'turn') order.push('named');
    const tookMs = performance.now() - from;
    expect(order.slice(0, 2)).toEqual(['named', 'asked']);
    return tookMs;
  };
  await expect.poll(turnMs).toBeLessThan(bar(30));
});

it('keeps no memory of turns that ended: after 1,000 at most 1.1 times as much as after 100', async () => {
  const heapAfter = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await eventsOf(wholeTurn());
    await new Promise((resolve) => setTimeout(resolve, 50));
    collectGarbage();
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const early = await heapAfter(100);
  expect((await heapAfter(900)) / early).toBeLessThan(1.1);
});

it('stops at once while the model is silent, and aborts its request', async () => {
  const stopMs = async () => {
    const { last, isAborted, tookMs } = await stopWhileSilent();
    expect([last, isAborted]).toEqual(['cancelled', true]);
    return tookMs;
  };
  await expect.poll(stopMs).toBeLessThan(bar(100));
});

async function stopWhileSilent() {
  const stop = new AbortController();
  const models = scriptedModels([]);
  let request: AbortSignal | undefined;
  const silent: typeof models.stream = async function* ({ signal }) {
    request = signal;
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    yield { kind: 'text', text: '' };
    throw new Error('not reached');
  };
  let stoppedAt = Infinity;
  let last: AssistantEvent | undefined;
  const timer = setTimeout(() => {
    stoppedAt = performance.now();
    stop.abort();
  }, 20);
  const turn = makeTurn(registry, { models: { ...models, stream: silent }, message: 'hi', signal: stop.signal });
  for await (const event of runTurn(turn)) last = event;
  clearTimeout(timer);
  return { last: last?.event, isAborted: request?.aborted, tookMs: performance.now() - stoppedAt };
}
