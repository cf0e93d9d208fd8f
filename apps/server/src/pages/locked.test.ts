import { expect, it } from 'vitest';
import { lockedText, renderUsed } from './locked.ts';

it('says why a browser has no key, and how to get one', () => {
  const [used, none] = [lockedText('used'), lockedText('no-key')];
  expect(used).toContain('This one-time address was used before, or is older than ten minutes.');
  expect(none).toContain('This page belongs to the person who started Croft on this machine.');
  for (const text of [used, none]) expect(text).toContain('<code>croft mcp --http</code>');
});

it('is a page of its own for an address that was used', () => {
  const { body, nonce } = renderUsed();
  expect(body).toContain('was used before');
  expect(body).toContain(`nonce="${nonce}"`);
  expect([Buffer.from(nonce, 'base64').length, renderUsed().nonce === nonce]).toEqual([16, false]);
});

it('has a heading, the reason and the way in', () => {
  expect(lockedText('used').replace(/<[^>]*>/g, '')).toBe(`
Open it from your terminal
This one-time address was used before, or is older than ten minutes.
Start croft mcp --http again and follow the address it prints. It works once, and this browser then remembers you for a day, or until Croft stops.`);
  expect(renderUsed().body).toContain('<title>Croft</title>');
});
