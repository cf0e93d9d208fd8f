import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { STATUS_WORDS } from './run-status.ts';
import { StatusBadge } from './status-badge.tsx';

it.each(Object.entries(STATUS_WORDS))('names the state %s', (status, { word }) => {
  const html = renderToStaticMarkup(createElement(StatusBadge, { status: status as keyof typeof STATUS_WORDS }));
  expect(html.replace(/<[^>]*>/g, '')).toBe(word);
});
