import { act, createElement, useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { check, fire, named, type, usePage } from '../testing/page.ts';
import { SearchBox } from './search-box.tsx';

const page = usePage();
afterEach(() => void vi.useRealTimers());

async function show(q = '', where: 'name' | 'content' = 'name') {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const onSearch = vi.fn();
  const box = await page.show(createElement(SearchBox, { q, where, onSearch }));
  const input = box.querySelector('input') as HTMLInputElement;
  const [focus, blur] = [vi.fn(), vi.fn()];
  Object.assign(input, { focus, blur });
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));
  return { box, input, onSearch, focus, blur, pass };
}

it('searches after a pause, without spaces around the text', async () => {
  const { input, onSearch, pass } = await show('', 'content');
  expect([input.getAttribute('type'), input.getAttribute('aria-label'), input.getAttribute('placeholder')]).toEqual([
    'search',
    'Search files',
    'Search',
  ]);
  await pass(1_000);
  await type(input, ' a');
  await pass(200);
  await type(input, ' ab ');
  await pass(249);
  expect(onSearch).not.toHaveBeenCalled();
  await pass(1);
  expect(onSearch.mock.calls).toEqual([['ab', 'content']]);
});

it('does not search again for the text that is shown', async () => {
  const { input, onSearch, pass } = await show('a');
  await type(input, ' a ');
  await pass(1_000);
  expect([onSearch.mock.calls, input.value]).toEqual([[], ' a ']);
});

it('is cleared by its button, which leaves the focus in it', async () => {
  const { box, input, onSearch, focus } = await show('a', 'content');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'icon search 16',
      'input[type=search][spellCheck=false][autoComplete=off][placeholder=Search][aria-label=Search files][value=a]',
      'button[title=Clear the search][aria-label=Clear the search][type=button]',
      'icon x 16',
      'legend Search in',
      'label Names',
      'input[name=#1][type=radio]',
      'label Contents',
      'input[name=#1][type=radio][checked]',
    ]);
  expect(box.querySelector('kbd')).toBeNull();
  await fire(named(box, 'Clear the search'), 'click');
  expect([onSearch.mock.calls, focus.mock.calls.length, input.value, box.querySelector('kbd')?.textContent]).toEqual([
    [['', 'content']],
    1,
    '',
    '/',
  ]);
});

it('is cleared by Escape, and left where it is empty', async () => {
  const { input, onSearch, blur } = await show('a');
  await fire(input, 'keydown', { key: 'x' });
  expect(input.value).toBe('a');
  await fire(input, 'keydown', { key: 'Escape' });
  expect([onSearch.mock.calls, input.value, blur.mock.calls.length]).toEqual([[['', 'name']], '', 0]);
  const empty = await show();
  await fire(empty.input, 'keydown', { key: 'Escape' });
  expect([empty.onSearch.mock.calls, empty.blur.mock.calls.length]).toEqual([[], 1]);
});

it('offers to search in contents once there is a text', async () => {
  const { box, input, onSearch } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'icon search 16',
      'input[type=search][spellCheck=false][autoComplete=off][placeholder=Search][aria-label=Search files]',
      'kbd /',
    ]);
  expect(box.querySelector('fieldset')).toBeNull();
  await type(input, 'a ');
  expect([box.querySelector('legend')?.textContent, box.querySelector('fieldset')?.textContent]).toEqual([
    'Search in',
    'Search inNamesContents',
  ]);
  const radios = [...box.querySelectorAll<HTMLInputElement>('[type=radio]')];
  expect(radios.map(({ checked }) => checked)).toEqual([true, false]);
  await check(radios[1] as Element);
  expect(onSearch.mock.calls).toEqual([['a', 'content']]);
});

it('takes the focus by a slash, unless a field or a menu has it', async () => {
  const { box, focus } = await show();
  const jump = async (target: EventTarget, event: object = {}) =>
    (await fire(target, 'keydown', { key: '/', ...event })).defaultPrevented;
  expect([await jump(document.body), focus.mock.calls.length]).toEqual([true, 1]);
  for (const event of [{ key: 'a' }, { ctrlKey: true }, { metaKey: true }, { altKey: true }])
    expect(await jump(document.body, event)).toBe(false);
  const menu = Object.assign(document.createElement('div'), { role: 'menu' });
  menu.setAttribute('role', 'menu');
  box.append(menu);
  for (const each of ['input', 'textarea', 'select', 'dialog'])
    expect(await jump(box.appendChild(document.createElement(each)))).toBe(false);
  expect([await jump(menu), focus.mock.calls.length]).toEqual([false, 1]);
});

it('searches by the function of the last render', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const calls: string[] = [];
  let render: () => void = () => undefined;
  const Host = () => {
    const [count, setCount] = useState(1);
    render = () => setCount(2);
    return createElement(SearchBox, { q: '', where: 'name', onSearch: (text) => void calls.push(`${text} ${count}`) });
  };
  const box = await page.show(createElement(Host));
  await type(box.querySelector('input') as Element, 'a');
  await act(async () => render());
  await act(async () => void vi.advanceTimersByTime(250));
  expect(calls).toEqual(['a 2']);
});

it('keeps a space after the text that it searches, and takes the text of another search', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let search = (_q: string) => {};
  const Host = () => {
    const [q, setQ] = useState('');
    search = setQ;
    return createElement(SearchBox, { q, where: 'name', onSearch: setQ });
  };
  const input = (await page.show(createElement(Host))).querySelector('input') as HTMLInputElement;
  await type(input, 'foo ');
  await act(async () => void vi.advanceTimersByTime(250));
  expect(input.value).toBe('foo ');
  await act(async () => search('other'));
  expect(input.value).toBe('other');
});
