import { beforeEach, describe, expect, it } from 'vitest';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { createFlowComponents } from '../components/flow-components.ts';
import { type ComponentRouteOptions, makeComponentRoutes } from './component-routes.ts';

const code = (name: string, body = "return 'x';") =>
  `export class ${name} extends Component {\n  label = 'My ${name}';\n  inputs = [{ name: 'a', kind: 'text' }];\n  outputs = [{ name: 'o', types: ['Message'], method: 'run' }];\n  run() { ${body} }\n}\n`;
let stored: { className: string; origin: 'saved' | 'generated'; code: string }[];
let calls: unknown[][];
beforeEach(() => {
  stored = [{ className: 'Mine', origin: 'saved', code: code('Mine') }];
  calls = [];
});

function call(target: string, json?: object) {
  const skipped = [{ file: 'bad name.ts', reason: 'odd', more: 1 }];
  const list = async () => ({ components: stored, skipped });
  const userComponents = {
    list,
    async save(actor: object, name: string, text: string) {
      calls.push(['save', actor, name, text]);
    },
    async remove(actor: object, name: string) {
      calls.push(['remove', actor, name]);
      return name === 'Mine';
    },
  };
  const routes = makeComponentRoutes({
    userComponents,
    flowComponents: createFlowComponents(userComponents as never),
  } as unknown as ComponentRouteOptions);
  return routeCaller(routes)(target.replace('/c', '/api/v1/components'), json && { json });
}
const ann = expect.objectContaining({ userId: 'ann' }) as object;
const NONE = { code: 'not_found', message: 'You have no such component.' };

describe('the components of a user', () => {
  it('are listed with what is wrong with them', async () => {
    stored.push({ className: 'Broken', origin: 'generated', code: 'class {' });
    const { components, skipped } = (await call('GET /c')).body;
    expect(components[0]).toEqual({ name: 'Mine', label: 'My Mine', origin: 'saved', problem: null });
    expect(components[1]).toMatchObject({
      name: 'Broken',
      label: 'Broken',
      origin: 'generated',
      problem: { line: 1, message: expect.any(String) as string, fix: expect.stringMatching(/.+/) as string },
    });
    expect(skipped).toEqual([{ file: 'bad name.ts', reason: 'odd' }]);
  });

  it('say that a name is taken', async () => {
    stored = [{ className: 'ChatInput', origin: 'saved', code: code('ChatInput') }];
    expect((await call('GET /c')).body.components[0].problem).toMatchObject({
      kind: 'name',
      line: 0,
      column: 0,
      fix: 'Give the class and the component one name, which no built-in component has.',
    });
  });

  it('are read by name', async () => {
    expect((await call('GET /c/Mine')).body).toEqual({ name: 'Mine', origin: 'saved', code: code('Mine') });
    expect(await call('GET /c/Other')).toMatchObject({ status: 404, body: { error: NONE } });
  });

  it('are removed', async () => {
    expect((await call('DELETE /c/Mine')).body).toEqual({ name: 'Mine' });
    expect(await call('DELETE /c/Other')).toMatchObject({ status: 404, body: { error: NONE } });
    expect(calls).toEqual([
      ['remove', ann, 'Mine'],
      ['remove', ann, 'Other'],
    ]);
  });
});

describe('a component that is saved or checked', () => {
  const component = {
    name: 'Mine',
    label: 'My Mine',
    description: 'A component of your own.',
    fields: [expect.objectContaining({ name: 'a' })],
    outputs: [expect.objectContaining({ name: 'o', types: ['Message'] })],
  };

  it('is saved under the name of its class', async () => {
    const { status, body } = await call('PUT /c/Mine', { code: code('Mine') });
    expect([status, body]).toEqual([200, { component }]);
    expect(body.component.outputs[0]).not.toHaveProperty('method');
    expect(calls).toEqual([['save', ann, 'Mine', code('Mine')]]);
  });

  it('is not saved under another name, or under that of a built-in one', async () => {
    expect(await call('PUT /c/Other', { code: code('Mine') })).toMatchObject({
      status: 422,
      body: { problems: [{ kind: 'name', message: 'The class of the code is called Mine.' }] },
    });
    expect((await call('PUT /c/ChatInput', { code: code('ChatInput') })).body.error).toEqual({
      code: 'exists',
      message: "'ChatInput' is a built-in component. Give the class another name.",
    });
    expect(calls).toEqual([]);
  });

  it('is refused with the line of each problem', async () => {
    const problems = [{ line: 1, fix: expect.stringMatching(/.+/) as string }];
    expect(await call('PUT /c/Mine', { code: 'class {' })).toMatchObject({ status: 422, body: { problems } });
    expect(await call('POST /c/check', { code: 'class {' })).toMatchObject({ status: 422, body: { problems } });
    expect((await call('POST /c/check', { code: code('Mine') })).body).toEqual({ component });
    expect(calls).toEqual([]);
  });
});
