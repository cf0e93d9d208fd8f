import { describe, expect, it } from 'vitest';
import { createRegistry } from '../registry.ts';
import { anyField, fakeComponent, flowOf } from '../testing.ts';
import { planRun } from './plan.ts';
import { selectNodes } from './select-nodes.ts';

const registry = createRegistry([fakeComponent('Step', { fields: [anyField('in', { list: true })] })]);
/** a → b → d, with c → d beside it and e alone. */
const plan = planRun(
  flowOf({ a: 'Step', b: 'Step', c: 'Step', d: 'Step', e: 'Step' }, [
    'a.out -> b.in',
    'b.out -> d.in',
    'c.out -> d.in',
  ]),
  registry,
);

/** Each node with what a run does: `-` skips it, `=` reuses its outputs, `+` runs it; `!` ends there. */
function selected(of: Parameters<typeof selectNodes>[1]): string {
  const selection = selectNodes(plan as never, of);
  return [...'abcde']
    .map((id, at) => {
      if (selection === undefined || selection.isSkipped(at)) return selection === undefined ? id : `${id}-`;
      return id + (selection.isReused(at) ? '=' : '+') + (selection.isLast(at) ? '!' : '');
    })
    .join(' ');
}

describe('the nodes of a run', () => {
  it('are all where none is named', () => {
    expect(selectNodes(plan as never, {})).toBeUndefined();
  });

  it('from a node on are that node and all that follows, with stored outputs of the others that lead there', () => {
    expect(selected({ from: 'b' })).toBe('a= b+ c= d+ e-');
    expect(selected({ from: 'e' })).toBe('a- b- c- d- e+');
  });

  it('until a node are those that lead to it, from stored outputs', () => {
    expect(selected({ until: 'b' })).toBe('a= b+! c- d- e-');
  });

  it('between two are computed again', () => {
    expect(selected({ from: 'b', until: 'd' })).toBe('a= b+ c= d+! e-');
  });

  it('do not exist where the flow has no such node', () => {
    expect(() => selected({ from: 'x' })).toThrow('Component not found in flow: x');
    expect(() => selected({ until: 'x' })).toThrow('Component not found in flow: x');
  });
});
