import { afterEach, beforeEach, expect, it } from 'vitest';
import { testNamespaces } from '../../../../tests/support/test-namespaces.ts';
import type { Namespaces } from '../files/namespaces.ts';
import { createUserComponents, type UserComponents } from './user-components.ts';

let namespaces: Namespaces;
let components: UserComponents;
let changed: (string | undefined)[];
let logged: string[];
beforeEach(() => {
  changed = [];
  namespaces = testNamespaces({ quotaBytes: 100_000, onChange: (userId) => changed.push(userId) });
  logged = [];
  const log = { error: (_: object, text: string) => void logged.push(text) } as never;
  components = createUserComponents({
    files: { open: (userId) => ({ top: namespaces.mineOf(userId) }) as never },
    log,
  });
});
afterEach(() => namespaces.close());

const ANN = { userId: 'ann', via: 'page', client: null } as const;
const names = async (userId = 'ann') =>
  (await components.list(userId)).components.map(({ className, origin, code }) => [className, origin, code]);
const log = () =>
  namespaces
    .mineOf('ann')
    .activity.entries()
    .map(({ tool, outcome, paths }) => [tool, outcome, paths[0]]);

it('stores what a user wrote in the files of this user, and records it without the code', async () => {
  await components.save(ANN, 'Mine', 'class canary {}');
  expect([await names(), await names('bob')]).toEqual([[['Mine', 'saved', 'class canary {}']], []]);
  expect(log()).toEqual([['save_component', 'ok', '.components/Mine.ts']]);
  expect(JSON.stringify(namespaces.mineOf('ann').activity.entries())).not.toContain('canary');
  expect(changed).toEqual(['ann']);
});

it('has saved a component also where its record cannot be ended, which the log of the server says', async () => {
  const top = namespaces.mineOf('ann');
  const begin: typeof top.activity.begin = (call) => ({
    ...top.activity.begin(call),
    finish: () => {
      throw new Error('disk full');
    },
  });
  const broken = { ...top, activity: { ...top.activity, begin } };
  const log = { error: (_: object, text: string) => void logged.push(text) } as never;
  const failing = createUserComponents({ files: { open: () => ({ top: broken }) as never }, log });
  await failing.save(ANN, 'Mine', 'class Mine {}');
  expect([await names(), logged.length, changed]).toEqual([[['Mine', 'saved', 'class Mine {}']], 1, ['ann']]);
});

it('keeps what an assistant wrote until its conversation is cleared', async () => {
  await components.generate(ANN, 'One', 'class One {}', 'talk-1');
  await components.generate(ANN, 'Two', 'class Two {}', 'talk-2');
  expect((await components.readGenerated('ann', 'One', 'talk-1'))?.code).toBe('class One {}');
  expect(await components.readGenerated('bob', 'One', 'talk-1')).toBeUndefined();
  changed = [];
  expect(await components.clearGenerated('ann', 'talk-1')).toBe(1);
  expect([await components.clearGenerated('ann', 'talk-1'), changed]).toEqual([0, ['ann']]);
  expect((await names()).map(([name]) => name)).toEqual(['Two']);
  expect(await components.clearGenerated('ann')).toBe(1);
  expect(log().map(([tool]) => tool)).toEqual(['generate_component', 'generate_component']);
});

it('keeps a saved component when generated ones are cleared', async () => {
  await components.generate(ANN, 'One', 'class One {}', 'talk-1');
  await components.save(ANN, 'One', 'class One {}', 'talk-1');
  await components.clearGenerated('ann');
  expect((await names()).map(([name, origin]) => [name, origin])).toEqual([['One', 'saved']]);
});

it('removes a component once, and records it', async () => {
  await components.save(ANN, 'Mine', 'class Mine {}');
  expect([await components.remove(ANN, 'Mine'), await components.remove(ANN, 'Mine'), await names()]).toEqual([
    true,
    false,
    [],
  ]);
  expect(log().filter(([tool]) => tool === 'remove_component')).toHaveLength(2);
});

it('records why a component was not stored', async () => {
  await expect(components.save(ANN, '../escape', 'x')).rejects.toMatchObject({ code: 'invalid' });
  await expect(components.save(ANN, 'Large', 'x'.repeat(200_000))).rejects.toThrow();
  expect(log().every(([tool, outcome]) => tool === 'save_component' && outcome !== 'ok')).toBe(true);
  expect(log()).toHaveLength(2);
});
