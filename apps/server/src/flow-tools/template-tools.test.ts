import { TEMPLATES } from '@croft/components';
import { beforeEach, expect, it } from 'vitest';
import { openTestDesk, type TestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { getFlow } from '../flows/get-flow.ts';
import type { Db } from '../store/database.ts';
import { STARTER_TOOLS, TEMPLATE_TOOLS } from './template-tools.ts';

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
