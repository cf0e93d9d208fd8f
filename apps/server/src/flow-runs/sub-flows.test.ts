import { builtinRegistry } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let alice: Visitor;
let bob: Visitor;

beforeAll(async () => {
  server = await startTestServer({});
  await server.running.ready;
  const admin = await server.signIn(ADMIN.login, ADMIN.password);
  const signedUp = async (name: string) => {
    const json = { name, email: `${name}@example.test`, password: `password of ${name}` };
    await admin.json('/api/v1/users', { method: 'POST', json });
    return server.signIn(json.email, json.password);
  };
  alice = await signedUp('alice');
  bob = await signedUp('bob');
}, 60_000);
afterAll(() => server?.stop());

const inner = (name: string) =>
  `name: ${name}\nnodes:\n  I: ChatInput\n  P: PromptTemplate\n  O: ChatOutput\nedges:\n  I.message -> P.word\n  P.prompt -> O.input_value\nconfig:\n  P.template: "${name} {word}"\n`;
const outer = (flow: string) =>
  `name: Outer\nnodes:\n  I: ChatInput\n  F: RunFlow\n  O: ChatOutput\nedges:\n  I.message -> F.input_value\n  F.message -> O.input_value\nconfig:\n  F.flow_name_selected: ${flow}\n`;

async function store(by: Visitor, spec: string): Promise<string> {
  const built = buildFromSpec(spec, builtinRegistry(), (_type, id) => id);
  if ('error' in built) throw new Error(`${built.error} ${built.details}`);
  const json = { document: built.flow };
  const { body } = await by.json<{ flow: { id: string } }>('/api/v1/flows', { method: 'POST', json });
  return body.flow.id;
}

async function runOuter(by: Visitor, flow: string) {
  const id = await store(by, outer(flow));
  const { body } = await by.json<any>(`/api/v1/flows/${id}/run`, { method: 'POST', json: { message: 'you' } });
  return body.run ?? body;
}

it('runs another stored flow of the user by its name or id, and a template', async () => {
  const id = await store(alice, inner('Hello'));
  expect((await runOuter(alice, 'Hello')).text).toBe('Hello you');
  expect((await runOuter(alice, id)).text).toBe('Hello you');
  expect((await runOuter(alice, 'word-count')).text).toBe('Words: 1, lines: 1');
});

it('does not find flows of another user, by neither name nor id', async () => {
  const id = await store(alice, inner('Private'));
  await store(bob, inner('Own'));
  for (const name of ['Private', id])
    expect((await runOuter(bob, name)).failure).toMatchObject({
      node: 'F',
      message: `There is no flow '${name}'.`,
      fix: expect.not.stringContaining('Private') as string,
    });
});

it('refuses a name that two flows have, and flows that run each other', async () => {
  await store(alice, inner('Twice'));
  await store(alice, inner('Twice'));
  expect((await runOuter(alice, 'Twice')).failure.message).toContain("Several of your flows are called 'Twice'");
  await store(alice, outer('B').replace('name: Outer', 'name: A'));
  await store(alice, outer('A').replace('name: Outer', 'name: B'));
  expect((await runOuter(alice, 'A')).failure.message).toBe("The flows run each other in a circle: 'A' → 'B' → 'A'.");
});
