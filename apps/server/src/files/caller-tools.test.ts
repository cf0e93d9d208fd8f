import type { AnyTool } from '@croft/tools';
import { expect, it } from 'vitest';
import { besideOwn, machineTools } from './caller-tools.ts';

class Tool {
  readonly title = 'Title';
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  get description() {
    return `Does ${this.name}.`;
  }
  run() {
    return `ran ${this.title}`;
  }
}
const tool = (name: string) => new Tool(name) as unknown as AnyTool;
const names = (tools: readonly AnyTool[]) => tools.map(({ name }) => name);

/** The tools of a user's machine in this state. */
const toolsIn = (connected: boolean, enabled: boolean) =>
  machineTools(
    {
      hub: {
        loadStatus: async () => ({ connected, enabled }) as never,
        toolsFor: (userId) => [tool(`daemon_of_${userId}`)],
      },
      localAccess: { toolsFor: (userId) => [tool(`disk_of_${userId}`)] },
    },
    'ann',
  );

it('has the tools of the connected machine, else those of the own disk, and none while the switch is off', async () => {
  expect(names(await toolsIn(true, true))).toEqual(['daemon_of_ann']);
  expect(names(await toolsIn(false, true))).toEqual(['disk_of_ann']);
  expect([await toolsIn(true, false), await toolsIn(false, false)]).toEqual([[], []]);
});

it('renames a tool whose name is taken, so that it cannot pass for one of the server', () => {
  const [other, read] = besideOwn([tool('read_file')], [tool('read_file'), tool('screenshot')]);
  expect([other?.name, read?.name]).toEqual(['screenshot', 'machine_read_file']);
  expect(read?.description).toBe('On the connected machine. Does read_file.');
  expect((read as unknown as Tool).run()).toBe('ran Title');
});

it('leaves a tool out whose new name is taken or too long', () => {
  const long = 'x'.repeat(57);
  const fits = 'x'.repeat(56);
  const own = [tool('read_file'), tool('machine_list'), tool('list'), tool(long), tool(fits)];
  const machine = [tool('read_file'), tool('machine_read_file'), tool('list'), tool(long), tool(fits)];
  expect(names(besideOwn(own, machine))).toEqual(['machine_read_file', `machine_${fits}`]);
});

it('renames a tool once, because its listing is derived once for each object', () => {
  const machine = [tool('read_file')];
  expect(besideOwn([tool('read_file')], machine)[0]).toBe(besideOwn([tool('read_file')], machine)[0]);
});
