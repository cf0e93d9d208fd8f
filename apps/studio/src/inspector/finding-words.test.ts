import { nodesById } from '@croft/flow';
import { expect, it } from 'vitest';
import type { Finding } from '../api/flows.ts';
import { at, flow, registry, wire } from '../editing/testing-wires.ts';
import { inWords } from './finding-words.ts';

const nodes = nodesById({ ...flow, nodes: [...flow.nodes, { ...at('named', 'Agent'), name: 'Writer' }] });
const words = (finding: Partial<Finding>, edges = flow.edges) => {
  const all = { code: 'x', severity: 'error', message: '', fix: '', ...finding } as Finding;
  const { message, fix } = inWords(all, edges, nodes, registry);
  return [message, fix];
};

it('names components and fields by what people see', () => {
  expect(
    words({ node: 'named', field: 'prompt', message: "named has no value for 'prompt'", fix: "Set 'prompt'." }),
  ).toEqual(["Writer has no value for 'prompt'", "Set 'prompt'."]);
  expect(words({ node: 'named', message: "The input of named is empty, see 'named'" })[0]).toBe(
    'The input of Writer is empty, see “Writer”',
  );
  expect(words({ node: 'gone', message: 'gone is empty' })[0]).toBe('gone is empty');
});

it('explains types that do not fit by the labels of both ports', () => {
  const edges = [wire('r', 'out', 'a', 'prompt')];
  const message = "Field 'prompt' on 'a' takes Message; output 'out' on 'r' produces Table";
  const finding = {
    code: 'type_mismatch',
    node: 'a',
    field: 'prompt',
    message,
    fix: 'Put a ParserComponent between.',
  } as Partial<Finding>;
  expect(words(finding, edges)).toEqual([
    '“Out” of Rows gives tables. “prompt” of Agent takes messages.',
    'Put “Parser” between.',
  ]);
  expect(words({ ...finding, fix: 'Put a Nothing between.' }, edges)[1]).toBe('Put a Nothing between.');
  expect(words(finding, [])[0]).toContain('takes Message');
});

it('lists the ports that a component has in place of one that it has not', () => {
  const unknown = (message: string, node = 'w') =>
    words({ code: 'unknown_port', node, field: 'zz', message } as Partial<Finding>)[0];
  expect(unknown("Output 'zz' does not exist")).toBe('Words has no output “zz”. Its outputs: “Out”.');
  expect(unknown("Input 'zz' does not exist")).toBe('Words has no input “zz”. Its inputs: “in”.');
  expect(unknown("Input 'zz' does not exist", 'r')).toBe('Rows has no input “zz”.');
  expect(unknown("Input 'zz' of g is not there", 'g')).toContain('is not there');
});

it('names the components of a cycle', () => {
  expect(words({ code: 'cycle', message: "A cycle: 'w' -> 'named' -> 'gone'" } as Partial<Finding>)[0]).toBe(
    "A cycle: “Words” -> “Writer” -> 'gone'",
  );
});
