import { expect, it } from 'vitest';
import { PAGE_SCRIPT } from './page-script.ts';
import { renderOpened, renderPage, renderUsed } from './render-page.ts';

const nonceOf = (csp: string) => /script-src 'nonce-([^']+)'/.exec(csp)?.[1] ?? '';

it.each([renderPage, renderUsed, () => renderOpened('k')])(
  'allows only what is in the page, under a new nonce',
  (render) => {
    const { body, csp } = render();
    const nonce = nonceOf(csp);
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    expect(csp).toBe(
      `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(body).toContain(`<style nonce="${nonce}">`);
    expect(nonceOf(render().csp)).not.toBe(nonce);
    expect(body.startsWith('<!doctype html>\n<html lang="en">')).toBe(true);
    expect(body).not.toMatch(/\s(?:src|on\w+)=/);
  },
);

it('gives the page its script, and everything that it fills', () => {
  const { body, csp } = renderPage();
  expect(body).toContain(`<script nonce="${nonceOf(csp)}">${PAGE_SCRIPT}</script>`);
  for (const id of [
    'locked',
    'page',
    'headline',
    'where',
    'dry',
    'unwritten',
    'gone',
    'stats',
    'agent',
    'tool',
    'list',
  ])
    expect(body, id).toContain(`id="${id}"`);
  expect(body).toContain('This page belongs to the person who started the guard on this machine.');
  expect(body).toContain('<noscript>This page needs JavaScript.</noscript>');
  expect(body.match(/ hidden>/g)).toHaveLength(5);
});

it('stores the key as text, and goes on to the page', () => {
  const { body } = renderOpened('a"b');
  expect(body).toContain(`>localStorage.setItem('croft-guard',"a\\"b");location.replace('/guard')</script>`);
  expect(body).toContain('<p>Opening…</p>');
});

it('says that an address was used, without a script', () => {
  const { body } = renderUsed();
  expect(body).toContain('This one-time address was used before, or is older than ten minutes.');
  expect(body).toContain('<code>croft guard open</code>');
  expect(body).not.toContain('<script');
});
