import { act, createElement, useEffect, useState } from 'react';
import { expect, it } from 'vitest';
import { check, fire, named, type, usePage } from './page.ts';

const page = usePage();

function Sample() {
  const [count, setCount] = useState(0);
  const [text, setText] = useState('');
  useEffect(() => {
    document.title = `${count}`;
    return () => void (document.title = 'gone');
  }, [count]);
  return createElement(
    'p',
    {},
    createElement('button', { onClick: () => setCount(count + 1) }, `Pressed ${count} times`),
    createElement('input', {
      value: text,
      onChange: ({ target }: { target: HTMLInputElement }) => setText(target.value),
    }),
    createElement('input', {
      type: 'checkbox',
      onChange: ({ target }: { target: HTMLInputElement }) => setText(`${target.checked}`),
    }),
    `Text: ${text}`,
  );
}

it('runs effects and hands on clicks and texts', async () => {
  const box = await page.show(createElement(Sample));
  await fire(named(box, 'Pressed 0 times'), 'click');
  expect([box.querySelector('button')?.textContent, document.title]).toEqual(['Pressed 1 times', '1']);
  await type(box.querySelector('input') as Element, 'hi');
  expect(box.textContent).toContain('Text: hi');
  await check(box.querySelector('[type=checkbox]') as Element);
  expect(box.textContent).toContain('Text: true');
});

it('has nothing of the test before, and shows what a hook returns', async () => {
  expect(document.body.childNodes.length).toBe(0);
  const hook = await page.hook(() => useState(0));
  await act(async () => hook.current[1](7));
  expect(hook.current[0]).toBe(7);
});
