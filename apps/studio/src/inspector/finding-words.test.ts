import { createRegistry, nodesById } from '@croft/flow';
import { expect, it } from 'vitest';
import type { Finding } from '../api/flows.ts';
import { at, flow, make, registry, take, wire } from '../editing/testing-wires.ts';
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

it('leaves a finding as it is where it cannot say more', () => {
  const fix = "Set 'x' of 'named'.";
  expect(words({ message: 'The flow is empty', fix })).toEqual(['The flow is empty', fix]);
  expect(words({ node: 'named', message: "named has no 'x'", fix })).toEqual(["Writer has no 'x'", fix]);
  const unknown = { code: 'unknown_port', node: 'w', message: 'w has no such port' } as Partial<Finding>;
  expect(words(unknown)[0]).toBe('Words has no such port');
  expect(words({ ...unknown, node: 'zz', field: 'y' })[0]).toBe('w has no such port');
});

it('replaces the id at its own place, and not in another word', () => {
  expect(words({ node: 'a', message: 'a is not a model' })[0]).toBe('Agent is not a model');
  expect(words({ node: 'a', message: 'A value of a is empty' })[0]).toBe('A value of Agent is empty');
  expect(words({ node: 'a', message: 'banana' })[0]).toBe('banana');
});

it('finds the connection that a finding is about', () => {
  const edges = [wire('w', 'out', 'a', 'prompt'), wire('r', 'out', 'w', 'in'), wire('r', 'out', 'a', 'tools')];
  const finding = (message: string, field = 'tools') =>
    words({ code: 'type_mismatch', node: 'a', field, message, fix: 'Put a Parser in.' } as Partial<Finding>, edges);
  expect(finding("output 'out' on 'r' produces Table")).toEqual([
    '“Out” of Rows gives tables. “tools” of Agent takes tools.',
    'Put a Parser in.',
  ]);
  expect(finding("output 'out' on 'g' produces Table")[0]).toBe("output 'out' on 'g' produces Table");
  expect(finding("output 'out' on 'r' produces Table", 'prompt')[0]).toBe("output 'out' on 'r' produces Table");
  const gone = [wire('r', 'zz', 'a', 'tools')];
  const message = "output 'zz' on 'r' produces Table";
  expect(words({ code: 'type_mismatch', node: 'a', field: 'tools', message } as Partial<Finding>, gone)[0]).toBe(
    message,
  );
});

it('lists twelve ports of a component at most', () => {
  const names = Array.from({ length: 13 }, (_, at) => `p${at}`);
  const known = createRegistry([
    make(
      'Many',
      names.map((name) => take(name, 'Message')),
      [],
    ),
  ]);
  const node = at('m', 'Many');
  const finding = {
    code: 'unknown_port',
    node: 'm',
    field: 'x',
    message: 'Input',
    severity: 'error',
    fix: '',
  } as Finding;
  const { message } = inWords(finding, [], new Map([['m', node]]), known);
  expect(message).toBe(
    `Many has no input “x”. Its inputs: ${names
      .slice(0, 12)
      .map((name) => `“${name}”`)
      .join(', ')}.`,
  );
});

it('names a field of a fix by its label', () => {
  const known = createRegistry([make('One', [{ ...take('in', 'Message'), label: 'Text' }], [])]);
  const finding = {
    code: 'x',
    node: 'o',
    field: 'in',
    message: 'o is',
    severity: 'error',
    fix: "Set 'in', 'in'.",
  } as Finding;
  expect(inWords(finding, [], new Map([['o', at('o', 'One')]]), known)).toEqual({
    ...finding,
    message: 'One is',
    fix: "Set 'Text', 'Text'.",
  });
});
