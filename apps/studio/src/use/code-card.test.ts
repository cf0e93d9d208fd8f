import { createRegistry, emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { OpenFlow } from '../flows/with-flow.tsx';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { CodeCard } from './code-card.tsx';

const page = usePage();

async function show(...nodes: readonly object[]) {
  const document = { ...emptyFlow('f'), nodes };
  const open = { flow: { id: 'f1' }, document, registry: createRegistry([]) } as unknown as OpenFlow;
  const box = await page.show(createElement(CodeCard, { open }));
  const code = () => box.querySelector('[role=tabpanel]:not([hidden]) pre');
  return { box, code, tabs: [...box.querySelectorAll('[role=tab]')].map(({ textContent }) => textContent) };
}
const node = (type: string, value?: string) => ({
  id: type,
  type,
  position: { x: 0, y: 0 },
  values: { input_value: value },
});

it('has code for each language, which can be copied', async () => {
  const { box, code, tabs } = await show(node('TextInput', 'second'), node('ChatInput', 'first'));
  await vi.waitFor(() =>
    expect(outline(box)).toEqual([
      'section[aria-label=Use it from code]',
      'h2 Use it from code',
      'p The code reads an API key from the variable .',
      'code CROFT_KEY',
      'a[href=/base/settings/keys] Create a key',
      'div[data-orientation=horizontal][dir=ltr]',
      'div[data-orientation=horizontal][tabindex=0][aria-label=Languages][aria-orientation=horizontal][role=tablist]',
      'buttonradix-#1-trigger-curl[data-radix-collection-item][data-orientation=horizontal][tabindex=-1][data-state=active][aria-controls=radix-#1-content-curl][aria-selected=true][role=tab][type=button] curl',
      'buttonradix-#1-trigger-python[data-radix-collection-item][data-orientation=horizontal][tabindex=-1][data-state=inactive][aria-controls=radix-#1-content-python][aria-selected=false][role=tab][type=button] Python',
      'buttonradix-#1-trigger-openai[data-radix-collection-item][data-orientation=horizontal][tabindex=-1][data-state=inactive][aria-controls=radix-#1-content-openai][aria-selected=false][role=tab][type=button] OpenAI (JavaScript)',
      'buttonradix-#1-trigger-typescript[data-radix-collection-item][data-orientation=horizontal][tabindex=-1][data-state=inactive][aria-controls=radix-#1-content-typescript][aria-selected=false][role=tab][type=button] TypeScript',
      'buttonradix-#1-trigger-mcp[data-radix-collection-item][data-orientation=horizontal][tabindex=-1][data-state=inactive][aria-controls=radix-#1-content-mcp][aria-selected=false][role=tab][type=button] MCP (JavaScript)',
      'divradix-#1-content-curl[tabindex=0][aria-labelledby=radix-#1-trigger-curl][role=tabpanel][data-orientation=horizontal][data-state=active]',
      'p The response is JSON: text, outputs and metrics.',
      'button[aria-live=polite][type=button]',
      'span Copy',
      'icon copy 16',
      'pre[aria-label=Code for curl][tabindex=0][role=region] curl \'http://croft.test/base/api/v1/flows/f1/run\' \\\\n  -H "Authorization: Bearer $CROFT_KEY" \\\\n  -H \'Content-Type: application/json\' \\\\n  -d \'{"message":"first"}\'',
      'divradix-#1-content-python[tabindex=0][hidden][aria-labelledby=radix-#1-trigger-python][role=tabpanel][data-orientation=horizontal][data-state=inactive]',
      'divradix-#1-content-openai[tabindex=0][hidden][aria-labelledby=radix-#1-trigger-openai][role=tabpanel][data-orientation=horizontal][data-state=inactive]',
      'divradix-#1-content-typescript[tabindex=0][hidden][aria-labelledby=radix-#1-trigger-typescript][role=tabpanel][data-orientation=horizontal][data-state=inactive]',
      'divradix-#1-content-mcp[tabindex=0][hidden][aria-labelledby=radix-#1-trigger-mcp][role=tabpanel][data-orientation=horizontal][data-state=inactive]',
    ]),
  );
  expect([
    box.querySelector('section')?.getAttribute('aria-label'),
    tabs,
    box.querySelector('[role=tablist]')?.getAttribute('aria-label'),
  ]).toEqual([
    'Use it from code',
    ['curl', 'Python', 'OpenAI (JavaScript)', 'TypeScript', 'MCP (JavaScript)'],
    'Languages',
  ]);
  expect(box.textContent).toContain('The code reads an API key from the variable CROFT_KEY. Create a key');
  expect(named(box, 'Create a key').getAttribute('href')).toBe('/base/settings/keys');
  expect(code()?.getAttribute('aria-label')).toBe('Code for curl');
  expect(code()?.textContent).toContain(`curl 'http://croft.test/base/api/v1/flows/f1/run'`);
  expect(code()?.textContent).toContain('{"message":"first"}');
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  await fire(named(box, 'Copy'), 'click');
  expect(writeText.mock.calls).toEqual([[code()?.textContent]]);
});

it('has an example of a message where the flow has none, and none where it takes none', async () => {
  expect((await show(node('TextInput', ''))).code()?.textContent).toContain('{"message":"Hello"}');
  const none = await show(node('Other', 'x'));
  expect([none.tabs, none.code()?.textContent.includes('message')]).toEqual([
    ['curl', 'Python', 'TypeScript', 'MCP (JavaScript)'],
    false,
  ]);
});
