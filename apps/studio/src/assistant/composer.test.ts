import { createRegistry, emptyFlow } from '@croft/flow';
import { createElement, createRef, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { Composer, MAX_CHARS } from './composer.tsx';
import { newTurn } from './turn-view.ts';

useFakeApi();
const page = usePage();
const document = { ...emptyFlow('f'), nodes: [nodeOf('A-1'), nodeOf('A-2')] };

async function show(more: object = {}, first = '') {
  const store = {
    send: vi.fn(async () => undefined),
    answer: vi.fn(async () => undefined),
    stop: vi.fn(async () => undefined),
    setModel: vi.fn(),
  };
  const ref = createRef<HTMLTextAreaElement>();
  const Host = () => {
    const [text, setText] = useState(first);
    const props = {
      ref,
      text,
      onText: setText,
      flow: { document, registry: createRegistry([]) },
      kept: { readHistory: () => ['newest', 'older'] },
      store,
      model: '',
      working: undefined,
      isRefining: false,
      onSetUp: vi.fn(),
      ...more,
    };
    return createElement(Composer, props as unknown as Parameters<typeof Composer>[0]);
  };
  const box = await page.show(inClient(testClient())(createElement(Host)));
  const field = () => box.querySelector('textarea') as HTMLTextAreaElement;
  Object.assign(field(), { setSelectionRange: vi.fn() });
  const write = (text: string, cursor = text.length) => {
    Object.assign(field(), { selectionStart: cursor, selectionEnd: cursor });
    return type(field(), text);
  };
  const press = (key: string, event: object = {}) => fire(field(), 'keydown', { key, ...event });
  const options = () => [...box.querySelectorAll('[role=option]')].map((each) => each.firstElementChild?.textContent);
  const active = () => box.querySelector('[role=option][aria-selected=true]')?.firstElementChild?.textContent;
  return { box, store, ref, field, write, press, options, active };
}
const working = { ...newTurn('k'), status: 'working' as const };
const asking = {
  ...newTurn('k'),
  status: 'asking' as const,
  question: { kind: 'question', id: 'q1', text: 'Which?', options: [] },
};

describe('a message', () => {
  it('is sent by Enter and by the form, and the field is empty then', async () => {
    const { store, field, write, press, box } = await show();
    await expect
      .poll(() => outline(box))
      .toEqual([
        'textarea[placeholder=Build, change or run this flow][aria-autocomplete=list][aria-describedby=#1-count][aria-label=Message to the assistant][rows=2]',
        'select[aria-label=Model]',
        'option[selected] Preferred model',
        'option croft/offline',
        'option Set up another provider…',
        'p#1-count 0/500',
        'span Characters:',
        'button[disabled][type=submit]',
        'span Send',
        'icon send-horizontal 14',
      ]);
    await write(' Build it ');
    expect((await press('Enter')).defaultPrevented).toBe(true);
    expect([store.send.mock.calls, field().value]).toEqual([[[' Build it ']], '']);
    await write('Again');
    expect((await fire(box.querySelector('form') as Element, 'submit')).defaultPrevented).toBe(true);
    expect(store.send.mock.calls[1]).toEqual(['Again']);
  });

  it.each([{ shiftKey: true }, { altKey: true }, { ctrlKey: true }, { metaKey: true }, { isComposing: true }])(
    'is not sent by Enter with %j',
    async (event) => {
      const { store, write, press } = await show();
      await write('Build it');
      await press('Enter', event);
      expect(store.send).not.toHaveBeenCalled();
    },
  );

  it('is neither empty nor too long', async () => {
    const { store, box, field, write, press } = await show();
    const send = () => named(box, 'Send') as HTMLButtonElement;
    expect(send().disabled).toBe(true);
    await write('  ');
    await press('Enter');
    await write('x'.repeat(MAX_CHARS + 1));
    await press('Enter');
    expect([store.send.mock.calls, send().disabled, field().getAttribute('aria-invalid')]).toEqual([[], true, 'true']);
    expect(box.textContent).toContain('Characters: 501/500');
    await write('x'.repeat(MAX_CHARS));
    expect([send().disabled, field().hasAttribute('aria-invalid')]).toEqual([false, false]);
  });

  it('waits while a turn works, which can be stopped', async () => {
    const { store, box, write, press } = await show({ working });
    await write('Build it');
    await press('Enter');
    expect(store.send).not.toHaveBeenCalled();
    expect([...box.querySelectorAll('button')].map((each) => each.textContent.trim())).not.toContain('Send');
    await fire(named(box, 'Stop'), 'click');
    expect(store.stop).toHaveBeenCalledOnce();
  });

  it('answers the question of a turn', async () => {
    const { store, field, write, press } = await show({ working: asking });
    expect(field().getAttribute('placeholder')).toBe('Choose above, or write another answer');
    await write(' That one ');
    await press('Enter');
    expect([store.answer.mock.calls, store.send.mock.calls]).toEqual([[['k', 'q1', 'That one']], []]);
    const approval = await show({ working: { ...asking, question: { ...asking.question, kind: 'run' } } });
    expect(approval.field().getAttribute('placeholder')).toBe('Build, change or run this flow');
  });

  it('says what to change of a plan', async () => {
    const { field, ref } = await show({ isRefining: true });
    expect(field().getAttribute('placeholder')).toBe('Tell me what to change…');
    expect(ref.current).toBe(field());
  });
});

describe('earlier messages', () => {
  it('come back by the arrows, and the text that was written too', async () => {
    const { field, write, press } = await show();
    await write('', 0);
    expect((await press('ArrowUp')).defaultPrevented).toBe(true);
    expect(field().value).toBe('newest');
    Object.assign(field(), { selectionStart: 0, selectionEnd: 0 });
    await press('ArrowUp');
    expect(field().value).toBe('older');
    Object.assign(field(), { selectionStart: 5, selectionEnd: 5 });
    await press('ArrowDown');
    expect(field().value).toBe('newest');
  });

  it('stay away while a part of the text is selected, or the cursor is inside of it', async () => {
    const { field, write, press } = await show();
    await write('one\ntwo');
    Object.assign(field(), { selectionStart: 0, selectionEnd: 2 });
    expect((await press('ArrowUp')).defaultPrevented).toBe(false);
    Object.assign(field(), { selectionStart: 5, selectionEnd: 5 });
    await press('ArrowUp');
    expect(field().value).toBe('one\ntwo');
  });
});

describe('the menu', () => {
  it('has the commands that the text may become', async () => {
    const { box, field, write, press, options, active } = await show();
    await write('/');
    expect([options(), active()]).toEqual([['/skip-all', '/new', '/undo'], '/skip-all']);
    expect(box.querySelectorAll('[role=option]')[1]?.textContent).toBe('/newBegin a new conversation');
    expect(field().getAttribute('aria-activedescendant')).toBe(box.querySelector('[aria-selected=true]')?.id);
    expect(field().getAttribute('aria-controls')).toBe(box.querySelector('[role=listbox]')?.id);
    await press('ArrowDown');
    expect(active()).toBe('/new');
    await press('ArrowUp');
    await press('ArrowUp');
    expect(active()).toBe('/undo');
    await press('ArrowDown');
    expect(active()).toBe('/skip-all');
    expect((await press('Tab')).defaultPrevented).toBe(true);
    expect([field().value, options()]).toEqual(['/skip-all', []]);
  });

  it('has components after @, and writes their ids', async () => {
    const { store, field, write, press, options } = await show();
    await write('change @A', 9);
    expect(options()).toEqual(['T', 'T']);
    await press('ArrowDown');
    await press('Enter');
    expect([field().value, store.send.mock.calls]).toEqual(['change A-2 ', []]);
  });

  it('closes by Escape until the text changes', async () => {
    const { field, write, press, options, store } = await show();
    await write('/n');
    expect((await press('Escape')).defaultPrevented).toBe(true);
    expect([options(), field().hasAttribute('aria-controls')]).toEqual([[], false]);
    await press('Enter');
    expect(store.send.mock.calls).toEqual([['/n']]);
    await write('/s');
    expect(options()).toEqual(['/skip-all']);
  });
});
