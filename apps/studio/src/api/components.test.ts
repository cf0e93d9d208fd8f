import { expect, it } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { componentSourceQuery, saveComponent, userComponentsQuery } from './components.ts';

const server = useFakeApi();

it('saves a component under the name of its class', async () => {
  server.answer('PUT /api/v1/components/Adder', {});
  expect(await saveComponent('export class Adder extends Component {}')).toEqual([]);
  expect(server.requests).toEqual(['PUT /api/v1/components/Adder {"code":"export class Adder extends Component {}"}']);
});

it('does not send code without a class, and says what to write', async () => {
  expect(await saveComponent('const classes = 1')).toMatchObject([{ line: 0, message: 'The code has no class.' }]);
  expect(server.requests).toEqual([]);
});

it('returns the faults of code that the server does not save', async () => {
  const problems = [{ kind: 'scan', line: 3, column: 1, message: 'No eval.', fix: 'Remove it.' }];
  server.answer('PUT /api/v1/components/A', Response.json({ problems }, { status: 422 }));
  expect(await saveComponent('class A {}')).toEqual(problems);
});

it('throws every other refusal', async () => {
  server.answer('PUT /api/v1/components/A', refusal(409, 'exists'));
  await expect(saveComponent('class A {}')).rejects.toMatchObject({ code: 'exists' });
  await expect(saveComponent('class B {}')).rejects.toMatchObject({ code: 'offline' });
});

it('reads the source of a component each time it is opened', async () => {
  server.answer('GET /api/v1/components/A%2FB', { code: 'class A {}' });
  server.answer('GET /api/v1/components', { components: [] });
  const client = testClient();
  expect(await client.fetchQuery(componentSourceQuery('A/B'))).toBe('class A {}');
  await client.fetchQuery(componentSourceQuery('A/B'));
  await client.fetchQuery(userComponentsQuery);
  expect(server.requests).toEqual([
    'GET /api/v1/components/A%2FB',
    'GET /api/v1/components/A%2FB',
    'GET /api/v1/components',
  ]);
});
