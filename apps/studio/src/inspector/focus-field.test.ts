import { expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { focusField, isField } from './focus-field.ts';

usePage();

function open(html: string) {
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  document.body.innerHTML = html;
  const focused: string[] = [];
  for (const each of document.body.querySelectorAll<HTMLElement>('*')) {
    each.focus = () => void focused.push(each.id);
    each.scrollIntoView = () => void focused.push(`scroll ${each.id}`);
  }
  return { box: document.body, focused };
}
const HTML = `<section id="inspector" data-component="n">
  <details id="more"><div id="row" data-field="url"><span></span><input id="url"></div></details>
  <div id="other" data-field="text"></div>
</section>`;

it('opens the part with the field and focuses it', () => {
  const { box, focused } = open(HTML);
  expect(focusField(box, 'n', 'url')).toBe(true);
  expect([focused, (box.querySelector('details') as HTMLDetailsElement).open]).toEqual([['scroll row', 'url'], true]);
});

it('focuses the inspector without such a field', () => {
  const { box, focused } = open(HTML);
  for (const name of [undefined, 'gone']) expect(focusField(box, 'n', name)).toBe(true);
  expect(focusField(box, 'n', 'text')).toBe(true);
  expect(focused).toEqual(['inspector', 'inspector', 'scroll other', 'inspector']);
});

it('waits for the inspector of the component, and leaves a field in which someone types', () => {
  const { box, focused } = open(HTML);
  expect(focusField(box, 'm', 'url')).toBe(false);
  Object.defineProperty(document, 'activeElement', { configurable: true, value: box.querySelector('#url') });
  expect([focusField(box, 'n', 'text'), focused]).toEqual([true, []]);
});

it('counts what takes keys as a field', () => {
  const { box } = open('<input><textarea></textarea><select></select><p contenteditable="true"></p><button></button>');
  expect([...box.children].map(isField)).toEqual([true, true, true, true, false]);
  expect(isField(null)).toBe(false);
});
