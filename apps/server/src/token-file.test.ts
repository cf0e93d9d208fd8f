import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { loadOrCreateToken, sameSecret } from './token-file.ts';

let scratch: string;

beforeEach(() => void (scratch = testDir()));

describe('the token file', () => {
  it('is made once, private, with its directory, and read from then on', () => {
    const file = join(scratch, 'base/mcp-token');
    const token = loadOrCreateToken(file);
    expect(token).toMatch(/^croft_[\w-]{43}$/);
    expect(loadOrCreateToken(file)).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(scratch, 'base')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(scratch, 'base'))).toEqual(['mcp-token']);
  });

  it('removes read permission for other accounts', () => {
    const file = join(scratch, 'mcp-token');
    const token = loadOrCreateToken(file);
    chmodSync(file, 0o644);
    expect(loadOrCreateToken(file)).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'croft_short\n', 'a password\n'])('is refused with a sentence when it holds %j', (content) => {
    const file = join(scratch, 'mcp-token');
    writeFileSync(file, content);
    expect(() => loadOrCreateToken(file)).toThrow(`${file} does not hold a token; delete it to have a new one made`);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('is the same for eight processes that start together', async () => {
    const file = join(scratch, 'mcp-token');
    const module = pathToFileURL(join(import.meta.dirname, '../dist/token-file.js')).href;
    // All wait for one moment, so that they meet.
    const script = `const { loadOrCreateToken } = await import(${JSON.stringify(module)});
      process.stdout.write('ready');
      process.stdin.once('data', () => { process.stdout.write(loadOrCreateToken(process.argv[1])); process.exit(); });`;
    const processes = Array.from({ length: 8 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const outputs = processes.map((child) => {
      let text = '';
      const ready = new Promise<void>((resolve) => {
        child.stdout.on('data', (part: Buffer) => {
          text += part.toString();
          resolve();
        });
      });
      const done = new Promise<string>((resolve) => child.on('close', () => resolve(text)));
      return { ready, done };
    });
    await Promise.all(outputs.map(({ ready }) => ready));
    for (const child of processes) child.stdin.write('go');
    const tokens = await Promise.all(outputs.map(({ done }) => done));
    expect(new Set(tokens)).toEqual(new Set([`ready${readFileSync(file, 'utf8').trim()}`]));
    expect(readdirSync(scratch)).toEqual(['mcp-token']);
  });
});

describe('secrets', () => {
  it('are compared whole, whatever their lengths', () => {
    expect(sameSecret('abc', 'abc')).toBe(true);
    for (const other of ['', 'ab', 'abd', 'abcd', 'ABC']) expect(sameSecret(other, 'abc')).toBe(false);
  });
});
