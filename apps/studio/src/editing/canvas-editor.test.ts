import { createRegistry, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FullFlow } from '../api/flows.ts';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { graphOf } from '../canvas/graph.ts';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { useFlowEdits } from '../canvas/use-flow-edits.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { fire, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { CanvasEditor } from './canvas-editor.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(() => {
  // Without an answer, edits would be sent again during the tests of other files.
  server.answer('POST /api/v1/flows/f1/edits', refusal(400, 'invalid'));
  vi.stubGlobal('sessionStorage', memoryStorage());
  vi.stubGlobal('CSS', { escape: (text: string) => text });
});

const registry = createRegistry([]);
const flow = {
  id: 'f1',
  version: 1,
  access: 'edit',
  document: { ...emptyFlow('f'), nodes: [nodeOf('A')] },
} as unknown as FullFlow;

const show = (isReadOnly = false) => {
  const calls: string[] = [];
  const Host = () => {
    const { document, store, canUndo, canRedo, apply } = useFlowEdits(flow);
    return createElement(CanvasEditor, {
      flow: document,
      registry,
      apply,
      isReadOnly,
      graph: graphOf(document, registry, isReadOnly),
      state: { canUndo, canRedo },
      edits: store,
      isLocked: false,
      onReady: () => void calls.push('ready'),
      onSelect: (ids) => void calls.push(`select ${ids.join()}`),
      onRun: () => void calls.push('run'),
    });
  };
  return page.show(inClient(testClient())(createElement(Host))).then((box) => ({ box, calls }));
};
const KEYS = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const press = (key: string) => fire(document.body, 'keydown', { ...KEYS, key });
const notes = (box: Element) => box.querySelectorAll('.react-flow__node-note textarea').length;

it('opens a note that a key adds', async () => {
  const { box, calls } = await show();
  await vi.waitFor(() => expect(calls).toContain('ready'));
  await press('n');
  await vi.waitFor(() => expect([notes(box), calls.at(-1)]).toEqual([1, expect.stringContaining('select note-')]));
});

it('carries out a command that is given before the drawing is ready once it is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const { box, calls } = await show();
    await press('n');
    expect([notes(box), calls.includes('ready')]).toEqual([0, false]);
    await act(async () => void vi.advanceTimersByTime(10));
    vi.useRealTimers();
    await vi.waitFor(() => expect([notes(box), calls.at(-1)]).toEqual([1, expect.stringContaining('select note-')]));
  } finally {
    vi.useRealTimers();
  }
});

it('carries out no edits where the flow is read-only', async () => {
  const { box, calls } = await show(true);
  await vi.waitFor(() => expect(calls).toContain('ready'));
  await press('n');
  await press('?');
  await vi.waitFor(() => expect(box.querySelector('dialog h2')?.textContent).toBe('Keys on the canvas'));
  expect([notes(box), box.querySelector('[role=toolbar]')]).toEqual([0, null]);
});
