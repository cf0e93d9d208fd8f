import { afterAll, expect, it } from 'vitest';
import { probeComponent } from './probe-component.ts';
import { closeSandbox } from './sandbox-threads.ts';

afterAll(closeSandbox);
const sourceOf = (before: string, members = '') =>
  `${before}\nexport class Own extends Component {\n  outputs = [{ name: 'r', method: 'm' }];\n  ${members}\n  m() { throw new Error('called'); return 1; }\n}`;

it('tries a component without a call of its methods', async () => {
  expect(await probeComponent(sourceOf(''))).toMatchObject({ ok: true, component: { className: 'Own' } });
});

it('gives what is wrong with the source, or with the start', async () => {
  expect(await probeComponent('export class')).toMatchObject({ ok: false, problems: [{ kind: 'syntax' }] });
  expect(await probeComponent(sourceOf("throw new Error('at load');"))).toEqual({
    ok: false,
    problems: [{ kind: 'failed', line: 1, column: 0, message: 'at load' }],
  });
  expect(await probeComponent(sourceOf('', 'x = missing;'))).toMatchObject({
    ok: false,
    problems: [{ kind: 'failed', line: 4 }],
  });
});

it('gives up after two seconds', async () => {
  expect(await probeComponent(sourceOf('for (;;);'))).toMatchObject({
    problems: [{ message: 'The component did not end within 2000 ms. Check its loops and regular expressions.' }],
  });
});
