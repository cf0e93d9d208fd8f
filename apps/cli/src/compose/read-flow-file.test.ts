import { mkdirSync, readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinRegistry } from '@croft/components';
import { emptyFlow, LIMITS } from '@croft/flow';
import { beforeEach, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { UsageError } from '../usage-error.ts';
import { readFlowFile } from './read-flow-file.ts';

const SPEC =
  'name: Echo\nnodes:\n  Heard: ChatInput\n  Said: ChatOutput\nedges:\n  Heard.message -> Said.input_value\n';
let dir: string;
beforeEach(() => void (dir = testDir()));

function read(content: string) {
  const file = join(dir, 'a.flow');
  writeFileSync(file, content);
  return readFlowFile(file, builtinRegistry());
}

/** The sentence for the user. */
function problemOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(dir, '');
    throw error;
  }
  throw new Error('the file was read');
}

it('reads the text form, and keeps the ids that its author wrote', () => {
  expect(read(SPEC).nodes.map(({ id, type }) => `${id}: ${type}`)).toEqual(['Heard: ChatInput', 'Said: ChatOutput']);
});

it('reads a document', () => {
  const flow = { ...emptyFlow('Stored'), description: 'as JSON' };
  expect(read(`\n ${JSON.stringify(flow)}`)).toMatchObject({ name: 'Stored', description: 'as JSON' });
});

it('says which component does not exist, and which name is near', () => {
  expect(problemOf(() => read(SPEC.replace('ChatOutput', 'ChatOutptu')))).toMatch(
    /^\/a\.flow: .*; did you mean ChatOutput\? \S/,
  );
  const former = builtinRegistry().entries.flatMap(({ descriptor: { aliases = [] } }) => aliases)[0] ?? '';
  expect(problemOf(() => read(SPEC.replace('ChatOutput', `${former}x`)))).toContain(`did you mean ${former}?`);
  expect(problemOf(() => read('name: x\nnodes:\n  - a\n'))).not.toContain('did you mean');
});

it('says what is wrong with JSON', () => {
  expect(problemOf(() => read('{'))).toMatch(/^\/a\.flow: the JSON is broken: /);
  expect(problemOf(() => read('{"nodes": 1}'))).toMatch(/^\/a\.flow: (?!the JSON is broken)/);
});

it('says that a file is missing, and how to make it of the template of that name', () => {
  const missing = (name: string) => problemOf(() => readFlowFile(name, builtinRegistry()));
  expect(missing(join(dir, 'no.flow'))).toBe('/no.flow: there is no such file');
  expect(missing('word-count')).toBe(
    'word-count: there is no such file; create it from the template: croft flow new word-count --out word-count.flow',
  );
});

it('reads no directory, and no file that is larger than a flow may be', () => {
  mkdirSync(join(dir, 'd'));
  expect(problemOf(() => readFlowFile(join(dir, 'd'), builtinRegistry()))).toBe(
    '/d: cannot be read: Illegal operation on a directory',
  );
  writeFileSync(join(dir, 'large'), '');
  truncateSync(join(dir, 'large'), LIMITS.documentBytes + 1);
  expect(problemOf(() => readFlowFile(join(dir, 'large'), builtinRegistry()))).toBe(
    `/large: ${LIMITS.documentBytes + 1} bytes; Croft opens flows of up to ${LIMITS.documentBytes} bytes`,
  );
});

it.runIf(process.platform === 'linux')('closes the file, also where it cannot be used', () => {
  read(SPEC);
  expect(() => readFlowFile(dir, builtinRegistry())).toThrow(UsageError);
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });
  expect(open.filter((path) => path.startsWith(dir))).toEqual([]);
});
