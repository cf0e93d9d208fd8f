import { describe, expect, it } from 'vitest';
import { isFromBrowser } from './own-host.ts';

describe('telling a browser from a program', () => {
  it('knows pages, frames, scripts and the address bar', () => {
    for (const headers of [
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' },
    ])
      expect(isFromBrowser(headers)).toBe(true);
  });

  it('lets programs be programs: SDKs, and fetch in Node, which sends a mode of its own', () => {
    for (const headers of [{}, { 'sec-fetch-mode': 'cors' }, { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }])
      expect(isFromBrowser(headers)).toBe(false);
  });
});
