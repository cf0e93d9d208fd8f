import { randomBytes } from 'node:crypto';
import { layout } from './layout.ts';

/** Shown to whoever comes without the cookie: what happened, and how to get in. */
export function renderLocked(why: 'no-cookie' | 'used'): { body: string; nonce: string } {
  const sentence =
    why === 'used'
      ? 'This one-time address was used before, or is older than ten minutes.'
      : 'This page belongs to the person who started Croft on this machine.';
  const content = `
<h1>Open it from your terminal</h1>
<p>${sentence}</p>
<p>Start <code>croft serve</code> again and follow the address it prints. It works once, and this browser then remembers you for a day, or until Croft stops.</p>`;
  return layout('Croft', randomBytes(16).toString('base64'), content);
}
