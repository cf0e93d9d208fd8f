import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import { SidePanel } from './side-panel.tsx';

const page = usePage();
let scrolled: unknown[] = [];
beforeEach(() => {
  scrolled = [];
  HTMLElement.prototype.scrollIntoView = (options) => void scrolled.push(options);
});

async function show(more: Partial<Parameters<typeof SidePanel>[0]> = {}) {
  const onTab = vi.fn();
  const parts = { run: '[Run]', component: '[Component]', problems: '[Problems]' };
  const box = await page.show(
    createElement(SidePanel, { tab: 'component', onTab, problemCount: 0, ...parts, ...more }),
  );
  const tabs = [...box.querySelectorAll('[role=tab]')];
  const panels = [...box.querySelectorAll('[role=tabpanel]')].filter((panel) => panel.textContent !== '');
  return { box, tabs, panels, onTab };
}

it('has three tabs, of which the run stays mounted', async () => {
  const { box, tabs, panels } = await show();
  expect([
    box.querySelector('[role=tablist]')?.getAttribute('aria-label'),
    tabs.map(({ textContent }) => textContent),
  ]).toEqual(['Beside the canvas', ['Run', 'Component', 'Problems']]);
  expect(panels.map(({ textContent }) => textContent)).toEqual(['[Run]', '[Component]']);
  expect(panels.map((panel) => panel.className.includes('data-[state=inactive]:hidden'))).toEqual([true, false]);
  expect((await show({ tab: 'run' })).box.querySelector('[role=tabpanel][data-state=active]')?.textContent).toBe(
    '[Run]',
  );
  expect((await show({ tab: 'problems' })).panels.map(({ textContent }) => textContent)).toEqual([
    '[Run]',
    '[Problems]',
  ]);
});

it('changes the tab, and scrolls to it', async () => {
  const { tabs, onTab } = await show();
  await fire(tabs[2] as Element, 'mousedown', { button: 0, ctrlKey: false });
  expect(onTab.mock.calls).toEqual([['problems']]);
  await vi.waitFor(() => expect(scrolled).toEqual([{ block: 'nearest' }]));
  await fire(tabs[1] as Element, 'click');
  await vi.waitFor(() => expect(scrolled.length).toBe(2));
});

it('counts errors', async () => {
  expect((await show({ problemCount: 1 })).tabs[2]?.textContent).toBe('Problems1');
});

it('says that no component is selected', async () => {
  const { box, panels } = await show({ component: undefined });
  expect(box.textContent).toContain('No component selectedSelect one on the canvas, or in the outline of the tab Run.');
  const sheet = (panel: Element | undefined) => panel?.className.includes('max-lg:fixed');
  expect([sheet(panels[1]), sheet((await show()).panels[1])]).toEqual([false, true]);
});
