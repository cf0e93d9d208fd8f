import { createRegistry, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, signedInClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { memoryStorage } from './fake-assistant-server.ts';
import { media } from './testing-media.ts';
import { begin, completed, EMPTY, nodeOf, update } from './testing-events.ts';
import { AssistantPanel } from './assistant-panel.tsx';
import { openKept } from './kept.ts';

const server = useFakeApi();
const sources = useFakeEvents();
const page = usePage();
let focused: string[] = [];
beforeEach(() => {
  dismissToasts();
  focused = [];
  vi.stubGlobal('innerWidth', 1_000);
  vi.stubGlobal('innerHeight', 800);
  media('(min-width: 1280px)').matches = false;
  HTMLElement.prototype.focus = function focus(this: HTMLElement) {
    focused.push(this.tagName);
  };
  server.answer('GET /api/v1/agentic/sessions', { sessions: [] });
});

async function show(
  { isOpen = true, isReadOnly = false, ...more }: Record<string, unknown> = {},
  client = testClient(),
) {
  const storage = memoryStorage();
  const kept = openKept('u1', () => storage);
  const calls = { onRun: vi.fn(), onBuilt: vi.fn(), onLock: vi.fn(), onPlan: vi.fn(), onClose: vi.fn() };
  const edits = {
    get: () => ({ version: 7, save: { kind: 'saved' } }),
    subscribe: () => () => undefined,
    flush: vi.fn(),
    adopt: vi.fn(),
  };
  const props = {
    flowId: 'f1',
    document: { ...emptyFlow('f'), nodes: [nodeOf('T', 'A')] },
    version: 7,
    registry: createRegistry([]),
    edits,
    apply: vi.fn(),
    isReadOnly,
    kept,
    isOpen,
    focusBefore: { current: null },
    ...calls,
    ...more,
  };
  const box = await page.show(
    inClient(client)(createElement(AssistantPanel, props as unknown as Parameters<typeof AssistantPanel>[0])),
  );
  const section = box.querySelector('section') as HTMLElement;
  const field = box.querySelector('textarea') as HTMLTextAreaElement;
  Object.assign(field, { setSelectionRange: () => undefined });
  const send = async (text: string) => {
    server.answer('POST /api/v1/agentic/assist/stream', () => new Response('', { headers: { 'Croft-Turn-Id': 't1' } }));
    await type(field, text);
    await fire(field, 'keydown', { key: 'Enter' });
  };
  return { box, section, field, send, edits, ...calls };
}

describe('the panel of the assistant', () => {
  it('keeps a message that was not sent for the next visit', async () => {
    vi.stubGlobal('sessionStorage', memoryStorage());
    const client = signedInClient();
    const first = await show({}, client);
    await type(first.field, 'later');
    // Linkedom does not take the first value of a textarea from it.
    const text = async (flowId: string) => (await show({ flowId }, client)).field.defaultValue;
    expect([await text('f1'), await text('f2')]).toEqual(['later', '']);
    await first.send('later');
    expect(await text('f1')).toBe('');
  });

  it('is hidden while it is closed, and stays in the page', async () => {
    const { section } = await show({ isOpen: false });
    expect([section.getAttribute('aria-label'), section.hasAttribute('hidden'), focused]).toEqual([
      'Assistant',
      true,
      [],
    ]);
    const open = await show();
    expect([open.section.hasAttribute('hidden'), focused]).toEqual([false, ['TEXTAREA']]);
  });

  it('closes by Escape, unless a part of it used the key', async () => {
    const { section, onClose } = await show();
    const used = await fire(section, 'keydown', { key: 'Escape' });
    expect([used.defaultPrevented, onClose.mock.calls.length]).toEqual([true, 1]);
    section.firstElementChild?.addEventListener('keydown', (event) => event.preventDefault());
    await fire(section.firstElementChild as Element, 'keydown', { key: 'Escape' });
    await fire(section, 'keydown', { key: 'Enter' });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('floats where the window is narrow, with the size that the user chose', async () => {
    const { section } = await show();
    expect([section.style.width.endsWith('px'), section.style.height.endsWith('px')]).toEqual([true, true]);
  });

  it('leaves the canvas unlocked, and has no plan', async () => {
    const { onLock, onPlan } = await show();
    expect([onLock.mock.calls, onPlan.mock.calls]).toEqual([[[false]], [[undefined]]]);
  });
});

describe('a message to the assistant', () => {
  const begun = async (more: Record<string, unknown> = {}) => {
    const shown = await show(more);
    await shown.send('Build it');
    await vi.waitFor(() => expect(sources).toHaveLength(1));
    const emit = (...events: object[]) =>
      act(async () => events.forEach((event, at) => sources[0]?.send(event, `log.${at + 1}`)));
    return { ...shown, emit };
  };

  it('locks the canvas until it is answered, and its answer is announced', async () => {
    const { box, field, onLock, emit } = await begun();
    await expect
      .poll(() => outline(box, 'button'))
      .toEqual([
        'section[aria-label=Assistant]',
        'button[title=Drag to resize][aria-label=Resize the assistant with the arrow keys][type=button]',
        'h2 Assistant',
        'icon bot-message-square 17',
        'button[title=New session][aria-label=New session][type=button]',
        'buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][title=Earlier sessions][aria-label=Earlier sessions][type=button]',
        'button[title=Close the assistant][aria-label=Close the assistant][type=button]',
        'div[aria-label=Messages][role=group][tabindex=0]',
        'p Build it',
        'span You:',
        'div[aria-busy=true]',
        'span[aria-hidden=true]',
        'span Sending…',
        'textarea[type=text][placeholder=Build, change or run this flow][aria-autocomplete=list][aria-describedby=#2-count][aria-label=Message to the assistant][rows=2]',
        'select[aria-label=Model]',
        'option[selected] Preferred model',
        'option croft/offline',
        'option Set up another provider…',
        'p#2-count 0/500',
        'span Characters:',
        'button[type=button]',
        'p[role=status]',
      ]);
    expect(named(box, 'Stop').getAttribute('type')).toBe('button');
    expect([onLock.mock.calls.at(-1), field.value]).toEqual([[true], '']);
    expect(server.requests.find((each) => each.includes('assist/stream'))).toContain('"input_value":"Build it"');
    await emit(begin(), completed('All done.'));
    await vi.waitFor(() => expect(onLock.mock.calls.at(-1)).toEqual([false]));
    expect(box.textContent).toContain('All done.');
    expect(box.querySelector('p[role=status]')?.textContent).not.toBe('');
  });

  it('waits until the edits of the page are saved, unless the flow is read-only', async () => {
    const edits = {
      get: () => ({ version: 7, save: { kind: 'conflict' } }),
      subscribe: () => () => undefined,
      flush: vi.fn(),
      adopt: vi.fn(),
    };
    const { send } = await show({ edits });
    await send('Build it');
    expect(server.requests.some((each) => each.includes('assist/stream'))).toBe(false);
    await begun({ edits, isReadOnly: true });
  });

  it('draws its plan on the canvas until the panel is gone', async () => {
    const { onPlan, emit } = await begun();
    await emit(begin(), update({ action: 'propose_plan', id: 'p', markdown: 'Plan', flow: EMPTY }));
    await vi.waitFor(() => expect(onPlan.mock.calls.at(-1)).toEqual([EMPTY]));
  });

  it('says why an action failed', async () => {
    const { box } = await begun();
    server.answer('POST /api/v1/agentic/turns/t1/cancel', refusal(500, 'broken', 'It broke.'));
    await act(async () => sources[0]?.send(begin(), 'log.1'));
    await fire(named(box, 'Stop'), 'click');
    const toasts = await page.show(createElement(Toaster));
    await vi.waitFor(() => expect(toasts.textContent).toContain('It broke.'));
  });

  it('brings back a message that was sent', async () => {
    const { field } = await begun();
    Object.assign(field, { selectionStart: 0, selectionEnd: 0 });
    await fire(field, 'keydown', { key: 'ArrowUp' });
    expect(field.value).toBe('Build it');
  });

  it('shows the run that it starts', async () => {
    const { onRun, emit } = await begun();
    await emit(begin(), { event: 'run_started', run_id: 'r1' });
    // The turn has not changed the flow.
    await vi.waitFor(() => expect(onRun.mock.calls).toEqual([['r1', 0]]));
  });
});

it('offers to set up a provider where none is', async () => {
  server.answer('GET /api/v1/agentic/check-config', { configured: false, providers: [], models: [] });
  const { box } = await show();
  await vi.waitFor(() => expect(box.textContent).toContain('No model provider is set up.'));
  expect(box.querySelector('dialog')).toBeNull();
  await fire(named(box, 'Set up a provider'), 'click');
  expect(box.querySelector('dialog')).not.toBeNull();
  await fire(named(box.querySelector('dialog') as Element, 'Close'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
});
