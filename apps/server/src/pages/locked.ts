import { randomBytes } from 'node:crypto';
import { layout } from './layout.ts';

/** For a browser without a key: what happened, and how to open the page. */
export function lockedText(why: 'no-key' | 'used'): string {
  const sentence =
    why === 'used'
      ? 'This one-time address was used before, or is older than ten minutes.'
      : 'This page belongs to the person who started Croft on this machine.';
  return `
<h1>Open it from your terminal</h1>
<p>${sentence}</p>
<p>Start <code>croft mcp --http</code> again and follow the address it prints. It works once, and this browser then remembers you for a day, or until Croft stops.</p>`;
}

/** The page of a one-time address that was used or is too old. */
export function renderUsed(): { body: string; nonce: string } {
  return layout('Croft', randomBytes(16).toString('base64'), lockedText('used'));
}
