import { expect, it } from 'vitest';
import { storeFlow, type Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let alice: Visitor;
let bob: Visitor;

useTestServer({}, async (started) => {
  alice = await started.addUser('alice');
  bob = await started.addUser('bob');
});

const inner = (name: string) =>
  `name: ${name}\nnodes:\n  I: ChatInput\n  P: PromptTemplate\n  O: ChatOutput\nedges:\n  I.message -> P.word\n  P.prompt -> O.input_value\nconfig:\n  P.template: "${name} {word}"\n`;
const outer = (flow: string) =>
  `name: Outer\nnodes:\n  I: ChatInput\n  F: RunFlow\n  O: ChatOutput\nedges:\n  I.message -> F.input_value\n  F.message -> O.input_value\nconfig:\n  F.flow_name_selected: ${flow}\n`;

const store = (by: Visitor, spec: string) => storeFlow(by, spec, (_type, id) => id);

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

it('runs a flow that others own or changed only at a version that the caller accepted', async () => {
  const id = await store(alice, inner('Team'));
  const at = `/api/v1/flows/${id}`;
  const own = await store(alice, outer(id));
  const theirs = await store(bob, outer(id));
  const run = async (by: Visitor, flow: string) => {
    const { body } = await by.json<any>(`/api/v1/flows/${flow}/run`, { method: 'POST', json: { message: 'you' } });
    return body.failure?.message ?? body.text;
  };
  const accept = (by: Visitor, version: number) =>
    by.json<any>(`${at}/acceptance`, { method: 'PUT', json: { version } });
  const edit = async (by: Visitor, base: number, template: string) => {
    const { document } = (await by.json<any>(at, { method: 'GET' })).body.flow;
    const node = document.nodes.find(({ type }: any) => type === 'PromptTemplate').id;
    const edits = [{ kind: 'configure', id: node, values: { template } }];
    expect((await by.json(`${at}/edits`, { method: 'POST', json: { base, edits } })).status).toBe(200);
  };
  expect((await accept(bob, 1)).status).toBe(404);
  await alice.json(`${at}/shares`, { method: 'PUT', json: { user: 'bob@example.test', access: 'edit' } });
  const refused = /which you have not accepted/;
  expect(await run(bob, theirs)).toMatch(refused);
  expect((await accept(bob, 1)).body).toEqual({ version: 1, accepted: 1, changedBy: null });
  expect(await run(bob, theirs)).toBe('Team you');

  await edit(alice, 1, 'Ours {word}');
  expect(await run(alice, own)).toBe('Ours you');
  expect(await run(bob, theirs)).toMatch(refused);
  expect((await accept(bob, 1)).body.error.code).toBe('changed');
  await accept(bob, 2);
  await edit(bob, 2, 'Stolen {word}');
  expect(await run(bob, theirs)).toBe('Stolen you');
  expect(await run(alice, own)).toMatch(refused);
  // By its name, too, and an edit on top of it accepts nothing.
  await edit(alice, 3, 'Mine {word}');
  expect((await runOuter(alice, 'Team')).failure.message).toMatch(refused);
  expect((await alice.json<any>(`${at}/acceptance`, { method: 'GET' })).body).toEqual({
    version: 4,
    accepted: 2,
    changedBy: 'bob',
  });
  await accept(alice, 4);
  expect(await run(alice, own)).toBe('Mine you');
  // An undo or a restore point can bring back what another user wrote.
  const back = (by: Visitor, what: string, base: number) =>
    by.json<any>(`${at}/${what}`, { method: 'POST', json: { base } });
  expect((await back(alice, 'undo', 4)).status).toBe(200);
  expect(await run(alice, own)).toMatch(refused);
  const point = await bob.json<any>(`${at}/restore-points`, { method: 'POST', json: { name: 'Before the demo' } });
  await edit(alice, 5, 'Good {word}');
  await accept(alice, 6);
  expect(await run(alice, own)).toBe('Good you');
  expect((await back(alice, `restore-points/${point.body.restorePoint.id}/restore`, 6)).status).toBe(200);
  expect(await run(alice, own)).toMatch(refused);
});

it('keeps running a flow that only its owner changed, also after undo and redo', async () => {
  const id = await store(alice, inner('Solo'));
  const own = await store(alice, outer(id));
  const at = `/api/v1/flows/${id}`;
  await alice.json(`${at}/edits`, {
    method: 'POST',
    json: { base: 1, edits: [{ kind: 'set_details', name: 'Changed' }] },
  });
  for (const [what, base] of [
    ['undo', 2],
    ['redo', 3],
  ] as const) {
    expect((await alice.json(`${at}/${what}`, { method: 'POST', json: { base } })).status).toBe(200);
    const { body } = await alice.json<any>(`/api/v1/flows/${own}/run`, { method: 'POST', json: { message: 'you' } });
    expect(body.text, what).toBe('Solo you');
  }
});
