import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { AboutPage } from './about-page.tsx';

const page = usePage();

it('says the version, what is sent and where the API is', async () => {
  const me = { version: '1.2.3' } as Parameters<typeof AboutPage>[0]['me'];
  const box = await page.show(createElement(AboutPage, { me }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=About]',
      'h2 Croft 1.2.3',
      'p Gives AI agents a place to work with files, and confines them to it.',
      'p Croft sends no data anywhere: no telemetry and no crash reports. It loads no fonts or scripts from other sites. This page connects only to this server and, while  is open, to croft on your own computer.',
      'em Connect',
      'a[rel=noreferrer][target=_blank][href=http://croft.test/base/api/docs] The HTTP interface, for scripts',
      'icon arrow-up-right 16',
      'p In a terminal,  lists every command and  says what is protected on this machine, and what is not. Licensed under Apache-2.0.',
      'code croft help',
      'code croft doctor',
    ]);
  expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('About');
  expect(box.textContent).toBe(
    'Croft 1.2.3Gives AI agents a place to work with files, and confines them to it.' +
      'Croft sends no data anywhere: no telemetry and no crash reports. It loads no fonts or scripts from other sites. ' +
      'This page connects only to this server and, while Connect is open, to croft on your own computer.' +
      'The HTTP interface, for scripts ' +
      'In a terminal, croft help lists every command and croft doctor says what is protected on this machine, and what is ' +
      'not. Licensed under Apache-2.0.',
  );
  const link = box.querySelector('a');
  expect(['href', 'target', 'rel'].map((name) => link?.getAttribute(name))).toEqual([
    'http://croft.test/base/api/docs',
    '_blank',
    'noreferrer',
  ]);
});
