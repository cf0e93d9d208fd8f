import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { canonicalOrigin, pageOrigins } from './page-origins.ts';
import { openSettings, type Settings } from './settings.ts';

const PAGE = 'https://croft.example';
let dir: string;
let settings: Settings;
beforeEach(() => {
  dir = testDir();
  settings = openSettings(join(dir, 'settings.json'));
});

const toWrite = (given: readonly string[] = []) => pageOrigins(settings, { directory: '/d', mayWrite: true }, given);
const toRead = () => pageOrigins(settings, { directory: '/d', mayWrite: false }, []);

it('reads an origin in any spelling, and takes no other text for one', () => {
  for (const text of ['https://croft.example', 'HTTPS://Croft.Example:443/', 'https://croft.example/a?b'])
    expect(canonicalOrigin(text), text).toBe(PAGE);
  const others = [
    'null',
    '',
    'croft.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    `https://${'a'.repeat(600)}`,
  ];
  for (const text of others) expect(canonicalOrigin(text), text).toBeUndefined();
});

it('allows pages of this machine and those that the command line names, and knows no other', () => {
  const origins = toWrite([PAGE]);
  for (const origin of [PAGE, 'http://localhost:7860', 'http://127.0.0.1', 'http://[::1]:80'])
    expect(origins.standingOf(origin), origin).toBe('allowed');
  for (const origin of [
    'https://croft.example.evil',
    'http://localhost.evil',
    'http://127.0.0.1.evil',
    'http://croft.example',
  ])
    expect(origins.standingOf(origin), origin).toBe('unknown');
});

it('keeps a decision until the process ends, and a deny is stronger than every permission', () => {
  const origins = toWrite([PAGE]);
  origins.allow('https://other.example');
  expect(origins.standingOf('https://other.example')).toBe('allowed');
  for (const origin of [PAGE, 'https://other.example', 'http://localhost']) {
    origins.deny(origin);
    expect(origins.standingOf(origin), origin).toBe('denied');
  }
  expect(toWrite([PAGE]).standingOf(PAGE)).toBe('allowed');
});

it('follows what the person decided earlier, where a permission to read does not permit to write', () => {
  settings.remember({ origin: PAGE, directory: '/d', mayWrite: false }, 'allow');
  expect([toRead().standingOf(PAGE), toWrite().standingOf(PAGE)]).toEqual(['allowed', 'unknown']);
  const elsewhere = pageOrigins(settings, { directory: '/other', mayWrite: false }, []);
  expect(elsewhere.standingOf(PAGE)).toBe('unknown');
  settings.remember({ origin: 'http://localhost', directory: '/d', mayWrite: true }, 'deny');
  expect([toRead().standingOf('http://localhost'), toWrite().standingOf('http://localhost')]).toEqual([
    'denied',
    'denied',
  ]);
});

it('answers no page while the decisions cannot be read, because one may be a deny', () => {
  writeFileSync(join(dir, 'settings.json'), '{');
  expect(() => toWrite([PAGE]).standingOf(PAGE)).toThrow(/is not JSON/);
});
