import { createFlowComponents } from '../../apps/server/src/components/flow-components.ts';
import { type FlowDesk, type FlowToolOptions, openDesk } from '../../apps/server/src/flow-tools/flow-desk.ts';
import type { FlowTool, FlowToolCall, FlowToolData } from '../../apps/server/src/flow-tools/flow-tool.ts';
import type { Db } from '../../apps/server/src/store/database.ts';

/** For tests: the flows of a user, as tools of an MCP client see them, in a database. Runs, files and the assistant are missing. */
export interface TestDesk {
  readonly desk: FlowDesk;
  /** Events for open pages, as `<user> <event>`. */
  readonly sent: string[];
  /** Calls a tool with arguments as a client sends them. */
  call(tools: readonly FlowTool[], name: string, args?: object, call?: Partial<FlowToolCall>): Promise<FlowToolData>;
}

export function openTestDesk(db: Db, userId: string, more: Partial<FlowToolOptions> = {}): TestDesk {
  const sent: string[] = [];
  const options = {
    storage: async () => db,
    events: { send: (of: string, { event }: { event: string }) => void sent.push(`${of} ${event}`) },
    flowComponents: createFlowComponents({ list: async () => ({ components: [], skipped: [] }) }),
    variables: { list: async () => [] },
    url: () => 'https://croft.test',
    ...more,
  } as unknown as FlowToolOptions;
  const open = () => openDesk(options, { userId, role: 'user', via: 'key', key: 'agent' }, 'test client');
  const own = open();
  return {
    desk: own,
    sent,
    async call(tools, name, args = {}, call = {}) {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const parts = { desk: open(), signal: undefined, confirm: undefined, onProgress: undefined, ...call };
      const result = await tool.run(tool.input.parse(args) as never, parts);
      return tool.output.loose().parse(result) as FlowToolData;
    },
  };
}
