import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { KEY_HEADER, renderEntrance, renderOpened } from './entrance.ts';
import { lockedText } from './locked.ts';

it('shows nothing of the directories before it has the key', () => {
  const { body, nonce } = renderEntrance();
  expect(body).toContain(`<script nonce="${nonce}">`);
  expect(body).toContain(`headers:{'${KEY_HEADER}':`);
  expect(body).toContain(
    `<div id="locked" hidden>${lockedText('no-key')}</div><noscript>This page needs JavaScript.</noscript>`,
  );
  expect([KEY_HEADER, /<title>(.*)<\/title>/.exec(body)?.[1]]).toEqual(['X-Croft-Key', 'Croft']);
  expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
  expect(renderEntrance().nonce).not.toBe(nonce);
  expect(() => new Script(/<script[^>]*>([\s\S]*)<\/script>/.exec(body)?.[1] ?? '(')).not.toThrow();
});

it('gives the browser its key, and leaves the one-time address', () => {
  const { body } = renderOpened('key"1');
  expect(body).toContain('<p>Opening…</p><noscript>This page needs JavaScript.</noscript>');
  expect(body).toContain(`localStorage.setItem('croft',"key\\"1");location.replace('/')`);
});
