import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSettings, type Settings, SettingsError } from './settings.ts';

let scratch: Scratch;
let file: string;
let settings: Settings;

beforeEach(() => {
  scratch = makeScratch([]);
  file = join(scratch.base, 'base', 'connect.json');
  settings = openSettings(file);
});

afterEach(() => scratch.remove());

const PAGE = 'https://croft.example';
const D = { origin: PAGE, directory: '/d', mayWrite: false };

describe('the settings file', () => {
  it('is created when there is something to store, readable by its owner only, without temporary files left', () => {
    expect(settings.decisionFor(D)).toBeUndefined();
    expect(() => statSync(file)).toThrow();
    settings.remember(D, 'allow');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(scratch.base, 'base')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(scratch.base, 'base'))).toEqual(['connect.json']);
  });

  it('remembers per origin and directory, and another daemon reads it', () => {
    settings.remember(D, 'allow');
    const other = openSettings(file);
    expect(other.decisionFor(D)).toBe('allow');
    expect(other.decisionFor({ ...D, directory: '/e' })).toBeUndefined();
    expect(other.decisionFor({ ...D, origin: 'http://croft.example' })).toBeUndefined();
    other.remember(D, 'deny');
    expect(settings.decisionFor(D)).toBe('deny');
  });

  it('does not take an allow to read for one to write', () => {
    settings.remember(D, 'allow');
    expect(settings.decisionFor({ ...D, mayWrite: true })).toBeUndefined();
    settings.remember({ ...D, mayWrite: true }, 'allow');
    expect(settings.decisionFor({ ...D, mayWrite: true })).toBe('allow');
    expect(settings.decisionFor(D)).toBe('allow');
    settings.remember(D, 'deny');
    expect(settings.decisionFor({ ...D, mayWrite: true })).toBe('deny');
    for (const other of [
      { ...D, origin: 'https://other.example' },
      { ...D, directory: '/other' },
    ]) {
      settings.remember(other, 'allow');
      expect([settings.decisionFor(other), settings.decisionFor(D)]).toEqual(['allow', 'deny']);
    }
  });

  it('lets a deny override an allow in the same file', () => {
    mkdirSync(join(scratch.base, 'base'));
    const both = ['allow', 'deny', 'allow'].map((decision) => ({ origin: PAGE, directory: '/d', decision }));
    writeFileSync(file, JSON.stringify({ origins: both }));
    expect(settings.decisionFor(D)).toBe('deny');
  });

  it('takes an allow of a file without an access for one to read', () => {
    mkdirSync(join(scratch.base, 'base'));
    writeFileSync(file, JSON.stringify({ origins: [{ origin: PAGE, directory: '/d', decision: 'allow' }] }));
    expect([false, true].map((mayWrite) => settings.decisionFor({ ...D, mayWrite }))).toEqual(['allow', undefined]);
  });

  it('keeps one session for each server and directory, and forgets it', () => {
    settings.keepSession('https://a.example', '/d', 'sess_1');
    settings.keepSession('https://a.example', '/d', 'sess_2');
    settings.keepSession('https://b.example/croft', '/e', 'sess_3');
    expect(settings.sessionFor('https://a.example', '/d')).toBe('sess_2');
    expect(settings.sessionFor('https://a.example', '/e')).toBeUndefined();
    expect(settings.lastServer('/e')).toBe('https://b.example/croft');
    settings.forgetSession('https://a.example', '/d');
    expect(settings.sessionFor('https://a.example', '/d')).toBeUndefined();
    expect(readFileSync(file, 'utf8')).not.toContain('sess_2');
  });

  it('removes a permission of other users to read it', () => {
    settings.keepSession('https://a.example', '/d', 'sess_1');
    chmodSync(file, 0o644);
    settings.sessionFor('https://a.example', '/d');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    '{',
    '[]',
    '{"origins":[{"origin":"x"}]}',
    '{"origins":[{"origin":"x","directory":"/d","decision":"Deny"}]}',
  ])('is refused with a sentence when it holds %s: there may be a deny in it', (content) => {
    mkdirSync(join(scratch.base, 'base'));
    writeFileSync(file, content);
    expect(() => settings.decisionFor(D)).toThrow(/correct it, or delete it/);
    expect(() => settings.remember(D, 'allow')).toThrow(/correct it, or delete it/);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('says why it cannot be used', () => {
    mkdirSync(join(scratch.base, 'base'));
    const failure = (make: () => void) => {
      rmSync(file, { recursive: true, force: true });
      make();
      try {
        settings.decisionFor(D);
        return 'used';
      } catch (error) {
        expect([error, (error as Error).name]).toEqual([expect.any(SettingsError), 'SettingsError']);
        return (error as Error).message.replace(file, 'FILE');
      }
    };
    const holds = (text: string) => failure(() => writeFileSync(file, text));
    const forget = 'correct it, or delete it to forget all decisions and sessions';
    const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`;
    expect([
      holds('{'),
      holds('[]'),
      holds('{"origins":[{"origin":"x","decision":"allow"}]}'),
      holds(padded(1_048_576)),
      holds(padded(1_048_577)),
      failure(() => mkdirSync(file)),
      failure(() => symlinkSync('elsewhere', file)),
    ]).toEqual([
      `FILE is not JSON; ${forget}`,
      `FILE does not hold settings of croft connect (top level); ${forget}`,
      `FILE does not hold settings of croft connect (origins.0.directory); ${forget}`,
      'used',
      'FILE is larger than 1048576 bytes; delete it',
      'FILE is not a file; move it away',
      'FILE is a link; put the file itself there',
    ]);
  });

  it('holds the decisions and sessions as readable JSON, and is not written without a change', () => {
    const dated = openSettings(file, () => new Date('2026-01-02T03:04:05Z'));
    dated.remember({ ...D, mayWrite: true }, 'allow');
    dated.keepSession('https://a.example', '/d', 'sess_1');
    const session = {
      server: 'https://a.example',
      directory: '/d',
      key: 'sess_1',
      savedAt: '2026-01-02T03:04:05.000Z',
    };
    const origin = { origin: PAGE, directory: '/d', decision: 'allow', mayWrite: true };
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify({ origins: [origin], sessions: [session] }, null, 2)}\n`);
    const { ino } = statSync(file);
    dated.remember({ ...D, mayWrite: true }, 'allow');
    dated.forgetSession('https://a.example', '/e');
    dated.forgetSession('https://b.example', '/d');
    expect(statSync(file).ino).toBe(ino);
  });

  it('keeps the last 50 sessions', () => {
    for (let n = 0; n <= 50; n++) settings.keepSession(`https://${n}.example`, '/d', `sess_${n}`);
    expect([0, 1, 50].map((n) => settings.sessionFor(`https://${n}.example`, '/d'))).toEqual([
      undefined,
      'sess_1',
      'sess_50',
    ]);
    expect([settings.lastServer('/d'), settings.lastServer('/e')]).toEqual(['https://50.example', undefined]);
  });

  it('is not read through a link, which may lead into a directory that is served', () => {
    mkdirSync(join(scratch.base, 'base'));
    writeFileSync(join(scratch.workspace, 'mine.json'), '{}');
    symlinkSync(join(scratch.workspace, 'mine.json'), file);
    expect(() => settings.decisionFor(D)).toThrow(`${file} is a link`);
  });
});
