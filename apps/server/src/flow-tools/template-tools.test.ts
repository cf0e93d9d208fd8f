import { TEMPLATES } from '@croft/components';
import { beforeEach, expect, it } from 'vitest';
import { openTestDesk, type TestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { getFlow } from '../flows/get-flow.ts';
import type { Db } from '../store/database.ts';
import { STARTER_TOOLS, TEMPLATE_TOOLS } from './template-tools.ts';
import { SHOWN_WHOLE_FLOW, shownTools } from './testing.ts';

let db: Db;
let desk: TestDesk;
const userId = 'tt-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
beforeEach(() => {
  desk = openTestDesk(db, userId);
});

const call = (name: string, args: object = {}): Promise<any> =>
  desk.call([...STARTER_TOOLS, ...TEMPLATE_TOOLS], name, args);
const [first] = TEMPLATES;
const name = first?.name ?? '';

it('lists all starter projects with a drawing, and creates a flow of one', async () => {
  const { result } = await call('list_starter_projects');
  expect(result.map((each: { name: string }) => each.name)).toEqual(TEMPLATES.map((each) => each.name));
  expect(
    result.every(
      ({ graph, description }: { graph: string; description: string }) => graph !== '' && description !== '',
    ),
  ).toBe(true);
  const made = await call('use_starter_project', { starter_name: name, new_name: 'Mine' });
  expect([made.name, made.node_count > 0, (await getFlow(db, userId, made.id))?.name]).toEqual(['Mine', true, 'Mine']);
  expect((await call('use_starter_project', { starter_name: name })).name).not.toBe('Mine');
});

it('searches templates by words of their names and descriptions', async () => {
  expect((await call('search_templates')).count).toBe(TEMPLATES.length);
  const { result, count } = await call('search_templates', {
    query: name.toUpperCase(),
    fields: ['name', 'spec', 'unknown'],
  });
  expect([count, result[0]]).toEqual([result.length, { name, spec: first?.spec }]);
  expect(await call('search_templates', { query: 'no such words at all' })).toEqual({ result: [], count: 0 });
  expect((await call('count_templates')).result).toBe(TEMPLATES.length);
});

it('reads a template with its text, or some fields of it', async () => {
  expect(await call('get_template', { template_id: name })).toMatchObject({
    id: name,
    description: first?.description,
    spec: first?.spec,
    tags: expect.any(Array),
  });
  expect(await call('get_template', { template_id: name, fields: ['tags'] })).toEqual({
    id: name,
    tags: expect.any(Array),
  });
});

it('lists each tag once, in order', async () => {
  const { result } = await call('list_all_tags');
  expect(result).toEqual([...new Set(result)].sort());
  expect(result.length).toBeGreaterThan(2);
  expect(result).toEqual(expect.arrayContaining((await call('get_template', { template_id: name })).tags));
});

it('creates a flow and gives its page', async () => {
  const { id, link } = await call('create_flow_from_template', { template_id: name });
  expect([link, (await getFlow(db, userId, id))?.access]).toEqual([`https://croft.test/flows/${id}`, 'owner']);
});

it('names the templates where there is none with the name', async () => {
  for (const [tool, args] of [
    ['get_template', { template_id: 'x' }],
    ['use_starter_project', { starter_name: 'x' }],
    ['create_flow_from_template', { template_id: 'x' }],
  ] as const)
    await expect(call(tool, args)).rejects.toThrow(`Unknown template 'x'. Available templates: ${name}, `);
});

it('shows the tools of STARTER_TOOLS to models and people in these words', () => {
  expect(shownTools(STARTER_TOOLS)).toEqual([
    'list_starter_projects | List starter projects | Lists flows to begin from, with a drawing of each. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '=> result: {"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"description":{"type":"string"},"graph":{"type":"string"}},"required":["name","description","graph"],"additionalProperties":false}}',
    'use_starter_project | Use starter project | Creates a flow from a starter project. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- starter_name: {"type":"string","minLength":1,"maxLength":100}',
    '- new_name?: {"type":"string","minLength":1,"maxLength":200}',
    ...SHOWN_WHOLE_FLOW,
  ]);
});

it('shows the tools of TEMPLATE_TOOLS to models and people in these words', () => {
  expect(shownTools(TEMPLATE_TOOLS)).toEqual([
    'search_templates | Search templates | Searches flows to begin from by words of their names and descriptions. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- query?: {"type":"string","maxLength":500}',
    '- fields: {"default":["id","name","description","tags","endpoint_name","icon"],"maxItems":20,"type":"array","items":{"type":"string","maxLength":50}} Fields of each result.',
    '=> result: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
    '=> count: {"type":"number"}',
    'get_template | Get template | Reads a template, with the flow as text. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- template_id: {"type":"string","minLength":1,"maxLength":100} The id of a template, as search_templates gives it.',
    '- fields?: {"maxItems":20,"type":"array","items":{"type":"string","maxLength":50}}',
    '=> id: {"type":"string"}',
    'list_all_tags | List tags | Lists the tags of templates: the categories of their components. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '=> result: {"type":"array","items":{"type":"string"}}',
    'count_templates | Count templates | Counts the templates. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '=> result: {"type":"number"}',
    'create_flow_from_template | Create flow from template | Creates a flow from a template. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- template_id: {"type":"string","minLength":1,"maxLength":100} The id of a template, as search_templates gives it.',
    '- folder_id?: {"type":"string","maxLength":100} Not used: flows have no folders.',
    '=> id: {"type":"string"}',
    '=> link: {"type":"string"}',
  ]);
});
