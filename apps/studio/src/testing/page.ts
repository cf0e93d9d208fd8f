import { parseHTML } from 'linkedom';
import { Activity, act, createElement, type ReactNode, useState } from 'react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, vi } from 'vitest';
import { assistantRequests } from '../assistant/open-assistant.ts';
import { BASE, settle } from './fake-api.ts';

const HTML = `<html><head><base href="${BASE}"></head><body></body></html>`;

let DomEvent: typeof Event;

function showModal(this: HTMLDialogElement) {
  this.open = true;
}
function close(this: HTMLDialogElement) {
  this.open = false;
}
const setSelectionRange = () => undefined;
const scrollIntoView = () => undefined;
const select = () => undefined;

class NoObserver {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
}

/** Of a process, which reads no forms. */
const NativeFormData = FormData;

/** The texts of the fields of a form. */
class FieldData extends NativeFormData {
  constructor(form?: HTMLFormElement) {
    super();
    for (const field of form?.querySelectorAll<HTMLInputElement>('[name]') ?? []) this.append(field.name, field.value);
  }
}

const go = (_state: unknown, _title: string, href: string) => void vi.stubGlobal('location', new URL(href, BASE));

function stubWindow() {
  const page = parseHTML(HTML) as unknown as typeof globalThis;
  const { document, HTMLElement, HTMLFormElement, HTMLInputElement, HTMLAnchorElement, Element, Node, CustomEvent } =
    page;
  DomEvent = page.Event;
  const createElement = document.createElement.bind(document);
  // Methods of browsers that linkedom does not have.
  document.createElement = ((name: string, options?: ElementCreationOptions) =>
    Object.assign(
      createElement(name, options),
      name === 'dialog' ? { showModal, close } : name === 'input' ? { setSelectionRange } : {},
    )) as typeof document.createElement;
  Object.assign(HTMLElement.prototype, { scrollIntoView, select });
  const events = document.createElement('i');
  const window = {
    document,
    HTMLElement,
    HTMLFormElement,
    HTMLInputElement,
    HTMLAnchorElement,
    Element,
    Node,
    CustomEvent,
    location: new URL(BASE),
    navigator: { userAgent: '' },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    history: { pushState: go, replaceState: go },
    scrollTo: () => undefined,
    // Without layout, nothing is animated or measured.
    getComputedStyle: ({ style }: HTMLElement) => style,
    requestAnimationFrame: (step: FrameRequestCallback) => setTimeout(() => step(0)),
    cancelAnimationFrame: clearTimeout,
    ResizeObserver: NoObserver,
    IntersectionObserver: NoObserver,
    FormData: FieldData,
  };
  for (const [name, value] of Object.entries({ ...window, window: globalThis, IS_REACT_ACT_ENVIRONMENT: true }))
    vi.stubGlobal(name, value);
}

// React looks for a window when it is loaded, and whether it has events of fields.
stubWindow();
Object.assign(document, { oninput: null });
const { createRoot } = await import('react-dom/client');
// Radix looks for a document when it is loaded. A test that loads it without a page would change it for later ones.
await import('radix-ui');
vi.unstubAllGlobals();

/** An element that is shown until `leave`, as a dialog is until it is closed. */
export function leavable(node: ReactNode) {
  let remove = () => {};
  const Host = () => {
    const [isShown, setIsShown] = useState(true);
    remove = () => setIsShown(false);
    return isShown ? node : null;
  };
  return { node: createElement(Host), leave: () => act(async () => remove()) };
}

/** Puts a page around an element that the end of a session hides, and signing in shows again. */
export function hidable() {
  let set: (mode: 'visible' | 'hidden') => void = () => {};
  const Host = ({ children }: { children: ReactNode }) => {
    const [mode, setMode] = useState<'visible' | 'hidden'>('visible');
    set = setMode;
    return createElement(Activity, { mode, children });
  };
  const change = (mode: 'visible' | 'hidden') => act(async () => set(mode));
  return {
    host: (children: ReactNode) => createElement(Host, { children }),
    hide: () => change('hidden'),
    show: () => change('visible'),
  };
}

/** A response that comes when the test lets it. */
export function heldResponse() {
  let respond = () => {};
  const response = new Promise<void>((resolve) => (respond = resolve));
  return { response, respond: () => act(async () => respond()).then(settle) };
}

/** The last result of a hook. */
export interface Rendered<T> {
  readonly current: T;
  /** Renders again. */
  again(): void;
  /** Removes its component from the page. */
  leave(): void;
}

/**
 * A page without layout for each test of a file: it renders components and hooks, and runs their effects. Call it after the other
 * helpers of the file: a page is left while they are still there.
 */
export function usePage() {
  const roots = new Set<Root>();
  const { error } = console;
  beforeEach(() => {
    stubWindow();
    // A cache notifies components in a turn of its own, and tests wait for what they show.
    console.error = (...args: unknown[]) => {
      if (!`${args[0] as string}`.includes('not wrapped in act')) error(...args);
    };
  });
  afterEach(async () => {
    for (const root of roots) act(() => root.unmount());
    roots.clear();
    // The next page would open the panel that this one asked for.
    assistantRequests.met = assistantRequests.get();
    // Work that was scheduled before, such as notices of a cache, still looks for the window.
    for (let turn = 0; turn < 3; turn++) await settle();
    console.error = error;
    vi.unstubAllGlobals();
  });
  function open() {
    const box = document.body.appendChild(document.createElement('div'));
    const root = createRoot(box);
    roots.add(root);
    return { box, root };
  }
  return {
    /** Renders an element, and returns the element around it. */
    async show(node: ReactNode): Promise<HTMLElement> {
      const { box, root } = open();
      await act(async () => root.render(node));
      return box;
    },
    /** Calls a hook in a component. `wrap` puts elements such as providers around it. */
    async hook<T>(use: () => T, wrap: (node: ReactNode) => ReactNode = (node) => node): Promise<Rendered<T>> {
      const { root } = open();
      let current: T;
      const Probe = () => {
        current = use();
        return null;
      };
      const render = () => root.render(wrap(createElement(Probe)));
      await act(async () => render());
      return {
        get current() {
          return current;
        },
        again: () => act(render),
        leave() {
          roots.delete(root);
          act(() => root.unmount());
        },
      };
    },
  };
}

/** Dispatches an event that bubbles, with more properties, at an element, the document or the window. */
export async function fire(
  target: EventTarget,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Event> {
  const event = Object.assign(new DomEvent(name, { bubbles: true, cancelable: true }), more);
  await act(async () => void target.dispatchEvent(event));
  return event;
}

/** Puts a text into a field as a person does. */
export async function type(field: Element, text: string): Promise<void> {
  // Linkedom has no default for it, and React asks.
  if ((field as HTMLInputElement).type === null) field.setAttribute('type', 'text');
  setUnseen(field, 'value', text);
  await fire(field, 'input');
}

/** Clicks a checkbox or a radio button, which changes. */
export async function check(field: Element): Promise<void> {
  setUnseen(field, 'checked', !(field as HTMLInputElement).checked);
  await fire(field, 'click');
}

/** Past the property of the element itself, by which React sees changes that its components make. */
function setUnseen(field: Element, name: string, value: unknown): void {
  let proto = Object.getPrototypeOf(field) as object | null;
  while (proto && !Object.hasOwn(proto, name)) proto = Object.getPrototypeOf(proto) as object | null;
  Reflect.set(proto ?? field, name, value, field);
}

/** The element with this text, name for screen readers or label, such as a button; fails where there is none. */
export function named(box: Element, name: string, selector = 'button, a, input, select, textarea'): HTMLElement {
  const found = [...box.querySelectorAll<HTMLElement>(selector)].find(
    (each) => each.getAttribute('aria-label') === name || each.textContent.trim() === name,
  );
  if (!found) throw new Error(`There is no ${selector} with the name ${name} in ${box.innerHTML}`);
  return found;
}

/** Chooses an option of a select by its value. */
export async function choose(select: Element, value: string): Promise<void> {
  Object.defineProperty(select, 'value', { configurable: true, writable: true, value });
  await fire(select, 'change');
}
