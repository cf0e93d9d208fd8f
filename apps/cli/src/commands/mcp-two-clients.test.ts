import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { callOn, initialize, openWire, type Surroundings, useSurroundings } from '@croft/mcp/testing';
import { expect, it } from 'vitest';

const INCREMENTS = 400;
const APPENDS = 400;
const EDITS = 50;

let surroundings: Surroundings;

const wires = useSurroundings((made) => {
  surroundings = made;
});

it('two clients on one directory lose no acknowledged change of each other', async () => {
  const dir = join(surroundings.root, 'project');
  mkdirSync(dir);
  const at = (name: string) => join(dir, name);
  writeFileSync(at('counter.txt'), '0');
  writeFileSync(at('log.txt'), '');
  writeFileSync(at('edited.txt'), 'a0; b0;');
  const acknowledged = { increments: 0, appends: [] as string[] };
  const work = async (own: string) => {
    const wire = openWire(['mcp', dir], { env: surroundings.env });
    wires.push(wire);
    await initialize(wire);
    const call = async (name: string, input: object) =>
      (await callOn(wire, name, input)).data as Record<string, unknown>;
    for (let i = 0; acknowledged.increments < INCREMENTS; i++) {
      const { version } = await call('file_info', { path: 'counter.txt' });
      // Read after the version: if the content is newer than the version, the write is refused.
      const content = String(Number(readFileSync(at('counter.txt'), 'utf8')) + 1);
      const done = await call('write_file', { path: 'counter.txt', content, expected_version: version });
      if (done.status === 'updated') acknowledged.increments++;
      else expect(String(done.error)).toMatch(/has changed/);
    }
    for (let i = 0; i < APPENDS / 2; i++) {
      const line = `${own}${i}`;
      const done = await call('append_file', { path: 'log.txt', content: `${line}\n` });
      if (done.status === 'updated') acknowledged.appends.push(line);
    }
    for (let i = 0; i < EDITS; i++) {
      const edit = { old_string: `${own}${i};`, new_string: `${own}${i + 1};` };
      expect(await call('edit_file', { path: 'edited.txt', ...edit })).toMatchObject({ status: 'ok' });
    }
  };
  await Promise.all(['a', 'b'].map(work));
  expect(readFileSync(at('counter.txt'), 'utf8')).toBe(String(acknowledged.increments));
  expect(acknowledged.appends.length).toBe(APPENDS);
  expect(readFileSync(at('log.txt'), 'utf8').trim().split('\n').toSorted()).toEqual(acknowledged.appends.toSorted());
  expect(readFileSync(at('edited.txt'), 'utf8')).toBe(`a${EDITS}; b${EDITS};`);
});
