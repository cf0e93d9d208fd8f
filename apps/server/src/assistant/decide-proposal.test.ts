import type { Canvas } from '@croft/assistant';
import { builtinRegistry } from '@croft/components';
import { contentOf, type Edit, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../testing.ts';
import { decideProposal, requireChoice, requirePossible } from './decide-proposal.ts';
import type { Proposal } from './proposals.ts';

const options = { registry: builtinRegistry(), secrets: new Set(['tulip field']) };
const flow = documentOf(
  'name: F\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value',
  (_, id) => id,
);
const other = documentOf('name: G\nnodes:\n  Y: ChatOutput', (_, id) => id);
const proposal = (parts: object) => ({ id: 'p', ...parts }) as unknown as Proposal;
const field = (over: object = {}) =>
  proposal({
    action: 'edit_field',
    component_id: 'A',
    field: 'sender',
    old_value: flow.nodes[0]?.values['sender'] ?? null,
    new_value: 'Me',
    ...over,
  });
const proposed = proposal({ action: 'set_flow', flow: contentOf(other), name: 'G' });
const plan = proposal({ action: 'propose_plan', markdown: '#' });

/** A canvas with this flow, which another client changes before the first edits. */
function canvasOf(document: FlowDocument, changes = 0) {
  const edits: Edit[] = [];
  let [points, left, version] = [0, changes, 7];
  const canvas = {
    read: async () => ({ flow: document, version }),
    editExactly: async (base: number, made: readonly Edit[]) => {
      if (left-- > 0) return void version++;
      expect(base).toBe(version);
      edits.push(...made);
      return { flow: document, version: version + 1 };
    },
    checkpoint: async () => void points++,
  } as unknown as Canvas;
  return { canvas, edits, points: () => points };
}

it('sets a field that has the value which the user saw', async () => {
  const { canvas, edits } = canvasOf(flow);
  expect(await decideProposal(canvas, options, field(), 'accept')).toBe(8);
  expect(edits).toEqual([{ kind: 'configure', id: 'A', values: { sender: 'Me' } }]);
});

it('refuses a field that was changed since, or whose component is gone', async () => {
  const { canvas, edits } = canvasOf(flow);
  const changed = { code: 'changed' };
  await expect(decideProposal(canvas, options, field({ old_value: 'else' }), 'accept')).rejects.toMatchObject(changed);
  await expect(decideProposal(canvas, options, field({ component_id: 'Z' }), 'accept')).rejects.toMatchObject(changed);
  await decideProposal(canvas, options, field({ old_value: '***REDACTED***' }), 'accept');
  expect(edits).toHaveLength(1);
});

it('refuses a proposal that would write a mark in place of a secret', async () => {
  const { canvas, edits } = canvasOf(flow);
  const nodes = contentOf(other).nodes.map((node) => ({ ...node, values: { sender: 'the ***REDACTED***' } }));
  const masked = proposal({ action: 'set_flow', flow: { ...contentOf(other), nodes }, name: 'G' });
  for (const [each, choice] of [
    [masked, 'add'],
    [masked, 'replace'],
    [field({ new_value: '***REDACTED***' }), 'accept'],
  ] as const)
    await expect(decideProposal(canvas, options, each, choice)).rejects.toMatchObject({ code: 'invalid' });
  expect(edits).toEqual([]);
  expect(await decideProposal(canvas, options, masked, 'dismiss')).toBeUndefined();
});

it('adds a flow beside the canvas, or replaces it, after a restore point', async () => {
  const added = canvasOf(flow);
  await decideProposal(added.canvas, options, proposed, 'add');
  expect(JSON.stringify(added.edits)).toContain('ChatOutput');
  expect([added.edits[0]?.kind, added.points()]).not.toContain('set_flow');
  const replaced = canvasOf(flow);
  await decideProposal(replaced.canvas, options, proposed, 'replace');
  expect([replaced.edits[0]?.kind, replaced.points()]).toEqual(['set_flow', 1]);
});

it('decides again about a flow that another client changed meanwhile', async () => {
  const { canvas, edits } = canvasOf(flow, 2);
  expect(await decideProposal(canvas, options, field(), 'accept')).toBe(10);
  expect(edits).toHaveLength(1);
});

it('changes nothing for a dismissed proposal and for a plan', async () => {
  const { canvas, edits } = canvasOf(flow);
  for (const each of [field(), proposed, plan])
    expect(await decideProposal(canvas, options, each, 'dismiss')).toBeUndefined();
  expect(edits).toEqual([]);
});

it('offers each proposal its own choices', () => {
  const allowed = (each: Proposal) =>
    ['add', 'replace', 'accept', 'dismiss', 'other'].filter((choice) => {
      try {
        requireChoice(each, choice);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid' });
        return false;
      }
    });
  expect(allowed(proposed)).toEqual(['add', 'replace', 'dismiss']);
  expect(allowed(field())).toEqual(['accept', 'dismiss']);
  expect(allowed(plan)).toEqual(['dismiss']);
});

it('refuses to add a second input beside that of the canvas, and lets it replace the canvas', () => {
  const second = proposal({ action: 'set_flow', flow: contentOf(flow), name: 'F' });
  expect(() => requirePossible(flow, options, second, 'add')).toThrow(/Replace the canvas instead/);
  expect(() => requirePossible(flow, options, second, 'replace')).not.toThrow();
  expect(() => requirePossible(flow, options, proposed, 'add')).not.toThrow();
  expect(() => requirePossible(flow, options, field({ old_value: 'else' }), 'dismiss')).not.toThrow();
});

describe('a value with a secret that a proposal hides', () => {
  const key = ['sk', 'abcdefghijklmnopqrstuv1234'].join('-');
  const withSender = (sender: string) => ({
    ...flow,
    nodes: flow.nodes.map((node) => ({ ...node, values: { sender } })),
  });

  it.each([`Key ${key} says {text}`, 'Key tulip field says {text}', 'Key ***REDACTED*** says {text}'])(
    'is replaced: %s',
    async (sender) => {
      const { canvas, edits } = canvasOf(withSender(sender));
      const proposed = field({ old_value: 'Key ***REDACTED*** says {text}' });
      expect(await decideProposal(canvas, options, proposed, 'accept')).toBe(8);
      expect(edits).toHaveLength(1);
    },
  );

  it.each([`Key ${key} said {text}`, 'Key of another kind says {text}', 'Key says {text}'])(
    'is not replaced after a change that the user did not see: %s',
    async (sender) => {
      const { canvas, edits } = canvasOf(withSender(sender));
      const proposed = field({ old_value: 'Key ***REDACTED*** says {text}' });
      await expect(decideProposal(canvas, options, proposed, 'accept')).rejects.toMatchObject({ code: 'changed' });
      expect(edits).toEqual([]);
    },
  );
});
