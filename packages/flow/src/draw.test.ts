import { describe, expect, it } from 'vitest';
import { describeFlowIo } from './describe-io.ts';
import { drawFlow } from './draw.ts';
import { createRegistry } from './registry.ts';
import { flowOf } from './testing.ts';

describe('drawFlow', () => {
  it('says that a flow is empty, and lists components without connections', () => {
    expect(drawFlow(flowOf({}))).toBe('(empty)');
    expect(drawFlow(flowOf({ b: 'Prompt', a: 'Agent' }))).toBe('Agent, Prompt');
  });

  it('indents components by column, numbers those of one type, and shows what leaves each', () => {
    const flow = flowOf({ in: 'Chat', one: 'Step', two: 'Step', end: 'Out' }, [
      'in.message -> one.in',
      'in.message -> two.in',
      'one.out -> end.in',
    ]);
    expect(drawFlow(flow)).toBe(
      [
        '[Chat]',
        '  message -> Step #1.in',
        '  message -> Step #2.in',
        '    [Step #1]',
        '      out -> Out.in',
        '    [Step #2]',
        '        [Out]',
      ].join('\n'),
    );
  });

  it('orders components by column, then from top to bottom, as the layout places them', () => {
    const flow = flowOf({ z: 'Z', a: 'A', m: 'M', b: 'B' }, ['b.out -> z.in', 'a.out -> z.in', 'z.out -> m.in']);
    expect(drawFlow(flow)).toBe(
      ['[A]', '  out -> Z.in', '[B]', '  out -> Z.in', '    [Z]', '      out -> M.in', '        [M]'].join('\n'),
    );
    expect(drawFlow(flowOf({ b: 'X', a: 'X', c: 'Y' }))).toBe('X #1, X #2, Y');
  });

  it('writes a note behind a component', () => {
    const flow = flowOf({ in: 'Chat', one: 'Step' }, ['in.message -> one.in']);
    const drawn = drawFlow(flow, ({ type }) => (type === 'Step' ? 'with care' : ''));
    expect(drawn).toBe('[Chat]\n  message -> Step.in\n    [Step] with care');
  });

  it('draws and describes a flow whose edges all leave one component, at a cost that grows with their number', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
    const flow = flowOf(
      Object.fromEntries(['hub', ...ids].map((id) => [id, 'Step'])),
      ids.map((id) => `hub.out -> ${id}.in`),
    );
    expect(drawFlow(flow).split('\n')).toHaveLength(1 + 2 * ids.length);
    expect(describeFlowIo(flow, createRegistry([])).outputs).toHaveLength(ids.length);
  });
});
