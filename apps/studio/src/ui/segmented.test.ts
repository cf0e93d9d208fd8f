import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { check, usePage } from '../testing/page.ts';
import { Segmented } from './segmented.tsx';

const page = usePage();
const OPTIONS = [
  { value: 'a', label: 'Light' },
  { value: 'b', label: 'Dark' },
] as const;

async function show(props: { disabled?: boolean; className?: string } = {}) {
  const onChange = vi.fn();
  const box = await page.show(
    createElement(Segmented<'a' | 'b'>, { label: 'Theme', value: 'b', options: OPTIONS, onChange, ...props }),
  );
  return { box, onChange, radios: [...box.querySelectorAll('input')] };
}

it('has the options with one chosen, and says which one is pressed', async () => {
  const { box, radios, onChange } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'legend Theme',
      'label Light',
      'input[name=#1][type=radio]',
      'label Dark',
      'input[name=#1][type=radio][checked]',
    ]);
  expect([box.querySelector('legend')?.textContent, box.textContent]).toEqual(['Theme', 'ThemeLightDark']);
  expect(radios.map(({ type, checked }) => [type, checked])).toEqual([
    ['radio', false],
    ['radio', true],
  ]);
  const [first, second] = radios.map((radio) => radio.getAttribute('name'));
  expect([first === second, first]).toEqual([true, expect.any(String)]);
  await check(radios[0] as Element);
  expect(onChange.mock.calls).toEqual([['a']]);
});

it('can be disabled', async () => {
  const stateOf = async (props?: object) => (await show(props)).box.querySelector('fieldset') as Element;
  expect([
    (await stateOf()).hasAttribute('disabled'),
    (await stateOf({ disabled: true })).hasAttribute('disabled'),
  ]).toEqual([false, true]);
  expect((await stateOf({ className: 'w-9' })).className).toMatch(/ w-9$/);
});
