import { builtinRegistry } from '@croft/components';
import { createRegistry, parseSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { FILE_NAME, WRITER } from './file-form.ts';
import { withTargets, withValue } from './with-targets.ts';

const registry = builtinRegistry();
const spec = parseSpec('nodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n');
const WRITING = parseSpec(
  'nodes:\n  I: ChatInput\n  W: SaveToFile\n  O: ChatOutput\nedges:\n  I.message -> W.input\n  I.message -> O.input_value\nconfig:\n  W.file_name: own.txt\n',
);

describe('a spec with files to write', () => {
  it('has a component for each, which takes what the flow shows', () => {
    const made = withTargets(spec, ['a.txt', 'b.txt'], registry);
    expect(made.nodes.slice(2)).toEqual([
      { id: 'W3', type: WRITER },
      { id: 'W4', type: WRITER },
    ]);
    expect(made.edges.slice(1)).toEqual([
      { from: { node: 'I', port: 'message' }, to: { node: 'W3', port: 'input' } },
      { from: { node: 'I', port: 'message' }, to: { node: 'W4', port: 'input' } },
    ]);
    expect(made.config).toEqual([
      { node: 'W3', field: FILE_NAME, value: 'a.txt' },
      { node: 'W4', field: FILE_NAME, value: 'b.txt' },
    ]);
  });

  it('adds to the end of each where that is asked', () => {
    const adding = (id: string) => ({ node: id, field: 'append_mode', value: true });
    expect(withTargets(spec, ['a.txt', 'b.txt'], registry, { adds: true }).config).toEqual([
      { node: 'W3', field: FILE_NAME, value: 'a.txt' },
      { node: 'W4', field: FILE_NAME, value: 'b.txt' },
      adding('W3'),
      adding('W4'),
    ]);
    const off = { ...WRITING, config: [...WRITING.config, { ...adding('W'), value: false }] };
    expect(withTargets(off, ['a.txt'], registry, { adds: true }).config).toEqual([
      { node: 'W', field: FILE_NAME, value: 'a.txt' },
      adding('W'),
    ]);
    expect(withTargets(spec, [], registry, { adds: true })).toBe(spec);
  });

  it('writes rows too', () => {
    const rows = parseSpec('nodes:\n  S: SortRows\n  O: ChatOutput\nedges:\n  S.output -> O.input_value\n');
    expect(withTargets(rows, ['a.csv'], registry).nodes).toHaveLength(3);
  });

  it('gives the first to the component that writes already', () => {
    expect(withTargets(WRITING, ['a.txt'], registry)).toEqual({
      ...WRITING,
      config: [{ node: 'W', field: FILE_NAME, value: 'a.txt' }],
    });
    const unnamed = { ...WRITING, config: [] };
    expect(withTargets(unnamed, ['a.txt'], registry).config).toEqual([{ node: 'W', field: FILE_NAME, value: 'a.txt' }]);
    const two = withTargets(WRITING, ['a.txt', 'b.txt'], registry);
    expect(two.config.map(({ value }) => value)).toEqual(['a.txt', 'b.txt']);
    expect(two.nodes).toHaveLength(4);
  });

  it('stays as it is where there is no file, nothing is shown, or no component writes it', () => {
    const hidden = { ...spec, edges: [] };
    expect(withTargets(spec, [], registry)).toBe(spec);
    expect(withTargets(hidden, ['a.txt'], registry)).toBe(hidden);
    expect(withTargets(spec, ['a.txt'], createRegistry([]))).toBe(spec);
    const model = parseSpec(
      'nodes:\n  M: EmbeddingModel\n  O: ChatOutput\nedges:\n  M.embedding_model -> O.input_value\n',
    );
    expect(withTargets(model, ['a.txt'], registry)).toBe(model);
  });
});

it('puts a value in place of another one wherever it is', () => {
  const twice = {
    ...WRITING,
    config: [...WRITING.config, { node: 'I', field: 'x', value: 'own.txt' }, { node: 'I', field: 'y', value: 'z' }],
  };
  expect(withValue(twice, 'own.txt', 'new.txt').config.map(({ value }) => value)).toEqual(['new.txt', 'new.txt', 'z']);
  expect(withValue(twice, 'own.txt', undefined)).toBe(twice);
});
