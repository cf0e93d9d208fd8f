import { randomBytes } from 'node:crypto';
import { layout } from './layout.ts';

/** Told to whoever comes without a key: what happened, and how to get in. */
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

/** The page of a one-time address that opens nothing any more. */
export function renderUsed(): { body: string; nonce: string } {
  return layout('Croft', randomBytes(16).toString('base64'), lockedText('used'));
}
