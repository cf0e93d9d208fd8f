import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinRegistry, closeSandbox, readComponent } from '@croft/components';
import {
  applyEdits,
  buildFromSpec,
  type FlowDocument,
  parseFlow,
  parseSpec,
  printFlow,
  printSpec,
  specOf,
  validateFlow,
} from '@croft/flow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realData } from '../support/real-data.ts';
import { contentText, editsBetween } from './edits-between.ts';
import { mutationsOf, rejectedAt } from './mutations.ts';
import { NotExpressible } from './request-sources.ts';
import { requestToFlow } from './request-to-flow.ts';
import type { RequestEdit, RequestGraph, Solutions } from './requests.ts';

const data = realData('flow-requests');
const read = <T>(file: string): T => JSON.parse(readFileSync(join(data as string, file), 'utf8')) as T;
const registry = builtinRegistry();

/** The flow of a graph, or the reason why there is none. */
function expressed(name: string, graph: RequestGraph): FlowDocument | string {
  try {
    const flow = parseFlow(requestToFlow(name, graph));
    const [error] = validateFlow(flow, registry).filter(({ severity }) => severity === 'error');
    return error === undefined ? flow : `${error.message} ${error.fix}`;
  } catch (error) {
    if (error instanceof NotExpressible) return error.message;
    throw error;
  }
}

const solutions = (): [string, RequestGraph][] =>
  Object.entries(read<Solutions>('solutions.json')).flatMap(([task, list]) =>
    list.map(({ model, workflow }): [string, RequestGraph] => [`${task} by ${model}`, workflow]),
  );

const flows = (): [string, FlowDocument][] =>
  solutions().flatMap(([name, graph]) => {
    const flow = expressed(name, graph);
    return typeof flow === 'string' ? [] : [[name, flow]];
  });

/** At least this part of the graphs and edits; each exception is in the message of a failure. */
const LEAST = 0.95;

/** Ports of code are known when it was read once. */
async function readCode(graph: RequestGraph): Promise<void> {
  try {
    const { nodes } = parseFlow(requestToFlow('', graph));
    const codes = nodes.flatMap(({ type, values }) => (type === 'TypeScriptCode' ? [values['code'] as string] : []));
    for (const code of codes) expect(await readComponent(code)).toMatchObject({ ok: true });
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
  }
}

afterAll(closeSandbox);

describe.skipIf(data === undefined)('real requests', () => {
  beforeAll(async () => {
    for (const [, graph] of solutions()) await readCode(graph);
    for (const { before, after } of read<readonly RequestEdit[]>('edits.json'))
      for (const graph of [before, after]) await readCode(graph);
  });

  it('are expressed as flows without an error', () => {
    const all = solutions();
    const exceptions = all.flatMap(([name, graph]) => {
      const flow = expressed(name, graph);
      return typeof flow === 'string' ? [`${name}: ${flow}`] : [];
    });
    expect(all.length).toBeGreaterThan(0);
    expect(1 - exceptions.length / all.length, exceptions.join('\n')).toBeGreaterThanOrEqual(LEAST);
  });

  it('say the same after printing and parsing, as a document and as a spec', () => {
    for (const [name, flow] of flows()) {
      expect(printFlow(parseFlow(JSON.parse(printFlow(flow)))), name).toBe(printFlow(flow));
      const text = printSpec(specOf(flow));
      expect(printSpec(parseSpec(text)), name).toBe(text);
      const built = buildFromSpec(text, registry);
      if ('error' in built) throw new Error(`${name}: ${built.error}: ${built.details}`);
      const real = new Map(Object.entries(built.node_id_map).map(([id, given]) => [given, id]));
      const renamed = {
        ...built.flow,
        nodes: built.flow.nodes.map((node) => ({ ...node, id: real.get(node.id) as string })),
        edges: built.flow.edges.map(({ from, to }) => ({
          from: { ...from, node: real.get(from.node) as string },
          to: { ...to, node: real.get(to.node) as string },
        })),
      };
      expect(printSpec(specOf(renamed)), name).toBe(text);
    }
  });

  it('take each recorded change as edits, which leave untouched nodes as they are and go back', () => {
    const edits = read<readonly RequestEdit[]>('edits.json');
    const exceptions: string[] = [];
    for (const { task, from, to, before, after } of edits) {
      const [old, wanted] = [expressed(task, before), expressed(task, after)];
      if (typeof old === 'string' || typeof wanted === 'string') {
        exceptions.push(`${task} ${from} to ${to}: ${typeof old === 'string' ? old : (wanted as string)}`);
        continue;
      }
      const { flow, inverse } = applyEdits(old, editsBetween(old, wanted));
      expect(contentText(flow)).toBe(contentText(wanted));
      const texts = new Map(wanted.nodes.map((node) => [node.id, JSON.stringify(node)]));
      for (const node of old.nodes)
        if (texts.get(node.id) === JSON.stringify(node)) expect(flow.nodes.find(({ id }) => id === node.id)).toBe(node);
      expect(printFlow(applyEdits(flow, [inverse]).flow)).toBe(printFlow(old));
    }
    expect(edits.length).toBeGreaterThan(0);
    expect(1 - exceptions.length / edits.length, exceptions.join('\n')).toBeGreaterThanOrEqual(LEAST);
  });

  it('are refused with any fault, and the report names its node', () => {
    const counts = new Map<string, number>();
    const accepted: string[] = [];
    for (const [name, flow] of flows())
      for (const { fault, nodes, document } of mutationsOf(flow, registry)) {
        counts.set(fault, (counts.get(fault) ?? 0) + 1);
        const named = rejectedAt(document, registry);
        if (!nodes.includes(named[0] ?? ''))
          accepted.push(`${name}: ${fault} at ${nodes.join(' or ')}, reported at ${named.join(', ')}`);
      }
    expect(accepted.slice(0, 20)).toEqual([]);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1_000);
    expect(counts.size).toBe(13);
  });
});
