import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench } from '../testing.ts';

let bench: Bench;
afterEach(() => bench.close());
afterAll(() => closeSearchWorkers());

describe('a path that leads out of the workspace', () => {
  it('is refused by every tool of full with a hint beside the fixed text, without host paths', async () => {
    bench = makeBench('full', ['a.txt', 'out => /etc']);
    for (const path of ['../x', '/etc/passwd', 'a/../../x', 'out/passwd']) {
      const inside = { content: 'x', pattern: 'x', old_string: 'a', new_string: 'b' };
      for (const tool of bench.table.tools) {
        const shape = Object.keys((tool.input as unknown as { shape: object }).shape);
        const all = { ...inside, path, paths: [path], source: path, destination: 'b.txt' };
        const { data } = await bench.call(
          tool.name,
          Object.fromEntries(Object.entries(all).filter(([key]) => shape.includes(key))),
        );
        const failure = tool.name === 'read_many' ? (data.files as object[])[0] : data;
        expect(failure, `${tool.name} ${path}`).toMatchObject({
          error: `Path escapes workspace boundary: ${path}`,
          hint: expect.stringMatching(path === 'out/passwd' ? /^A link on this path/ : /^Paths are relative/),
        });
      }
    }
    expect((await bench.call('read_file', { path: 'no.txt' })).data).not.toHaveProperty('hint');
    expect((await bench.call('read_file', { path: '.env' })).data).not.toHaveProperty('hint');
  });

  it.each(['files', 'basic', 'explore'] as const)('is refused by %s with only its own text', async (toolset) => {
    bench = makeBench(toolset);
    const input = toolset === 'explore' ? { filePath: '../x' } : { path: '../x' };
    const { data } = await bench.call(toolset === 'explore' ? 'read-file' : 'read_file', input);
    expect(data.error).toEqual(expect.any(String));
    expect(data).not.toHaveProperty('hint');
  });
});
