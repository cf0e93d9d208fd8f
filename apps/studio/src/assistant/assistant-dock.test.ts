import { emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { meQuery } from '../api/me.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import './testing-media.ts';
// Loaded before a test waits for it.
import './assistant-panel.tsx';
import { AssistantDock } from './assistant-dock.tsx';
import { openKept } from './kept.ts';
import { openAssistant } from './open-assistant.ts';

const server = useFakeApi();
const page = usePage();
const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  server.answer('GET /api/v1/agentic/sessions', { sessions: [] });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('innerWidth', 1_000);
  vi.stubGlobal('innerHeight', 800);
});

async function show(user: object | null = { id: 'u1' }) {
  const client = testClient();
  client.setQueryData(meQuery.queryKey, { user } as never);
  const edits = { get: () => ({ version: 1 }), subscribe: () => () => undefined, adopt: vi.fn() };
  const flow = {
    flowId: 'f1',
    document: emptyFlow('f'),
    version: 1,
    registry: { get: () => undefined, entries: [] },
    edits,
    apply: vi.fn(),
    isReadOnly: false,
    onRun: vi.fn(),
    onBuilt: vi.fn(),
    onLock: vi.fn(),
    onPlan: vi.fn(),
  };
  const dock = createElement(AssistantDock, flow as unknown as Parameters<typeof AssistantDock>[0]);
  const box = await page.show(inClient(client)(dock));
  const button = () => named(box, 'Assistant', 'button');
  const panel = () => box.querySelector<HTMLElement>('section[aria-label=Assistant]');
  const isOpen = () => [button().getAttribute('aria-expanded'), panel()?.hasAttribute('hidden')];
  return { box, button, panel, isOpen, flow };
}
const press = (event: object) => fire(document, 'keydown', { key: 'i', ctrlKey: true, ...event });

describe('the assistant', () => {
  it('opens for a request from before it was shown', async () => {
    openAssistant();
    const { isOpen } = await show();
    await vi.waitFor(() => expect(isOpen()).toEqual(['true', false]));
  });

  it('is not there without a user', async () => {
    expect((await show(null)).box.innerHTML).toBe('');
  });

  it('opens and closes by its button, and stays mounted', async () => {
    const { button, panel, isOpen } = await show();
    expect([button().getAttribute('title'), panel()]).toEqual(['Assistant (Ctrl+I)', null]);
    await fire(button(), 'click');
    await vi.waitFor(() => expect(isOpen()).toEqual(['true', false]));
    expect(openKept('u1').readIsOpen()).toBe(true);
    await fire(button(), 'click');
    expect(isOpen()).toEqual(['false', true]);
    expect(openKept('u1').readIsOpen()).toBe(false);
  });

  it('is open where the user left it open', async () => {
    openKept('u1').writeIsOpen(true);
    const { isOpen } = await show();
    await vi.waitFor(() => expect(isOpen()).toEqual(['true', false]));
  });

  it('is closed at first where it would cover the page of a phone', async () => {
    openKept('u1').writeIsOpen(true);
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(width < 40rem)' }));
    const { button, panel, isOpen } = await show();
    expect([button().getAttribute('aria-expanded'), panel()]).toEqual(['false', null]);
    await fire(button(), 'click');
    await vi.waitFor(() => expect(isOpen()).toEqual(['true', false]));
  });

  it('opens where another part of the page asks for it, once', async () => {
    const { button, isOpen } = await show();
    await act(async () => openAssistant());
    await vi.waitFor(() => expect(isOpen()).toEqual(['true', false]));
    await fire(button(), 'click');
    expect((await show()).button().getAttribute('aria-expanded')).toBe('false');
  });

  it('opens and closes by Ctrl+I or Cmd+I', async () => {
    const { button } = await show();
    const state = () => button().getAttribute('aria-expanded');
    expect((await press({})).defaultPrevented).toBe(true);
    expect(state()).toBe('true');
    await press({ ctrlKey: false, metaKey: true, key: 'I' });
    expect(state()).toBe('false');
    for (const event of [{ ctrlKey: false }, { altKey: true }, { shiftKey: true }, { key: 'j' }])
      expect((await press(event)).defaultPrevented).toBe(false);
    expect(state()).toBe('false');
  });

  it('stays as it is while a dialog is open', async () => {
    const { button } = await show();
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.setAttribute('open', '');
    await press({});
    expect(button().getAttribute('aria-expanded')).toBe('false');
  });

  it('closes by Escape in the panel', async () => {
    const { button, panel, isOpen } = await show();
    await fire(button(), 'click');
    await vi.waitFor(() => expect(isOpen()).toEqual(['true', false]));
    await fire(panel() as Element, 'keydown', { key: 'Enter' });
    expect(isOpen()).toEqual(['true', false]);
    await fire(panel() as Element, 'keydown', { key: 'Escape' });
    expect(isOpen()).toEqual(['false', true]);
  });
});
