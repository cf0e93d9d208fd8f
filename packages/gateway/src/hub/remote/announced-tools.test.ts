import { describe, expect, it } from 'vitest';
import { packAnnounced, unpackAnnounced } from './announced-tools.ts';

const names = (tools: readonly unknown[]) => unpackAnnounced(packAnnounced(tools, () => true)).map(({ name }) => name);

/** A schema of so many levels; two for each property. */
function nested(levels: number): object {
  return JSON.parse(`${'{"properties":{"a":'.repeat(levels / 2)}{"type":"string"}${'}}'.repeat(levels / 2)}`) as object;
}

describe('a tool that is announced', () => {
  it('is left out when its schema is nested so deep that whoever walks it runs out of stack', () => {
    const tools = [
      { name: 'flat', inputSchema: { type: 'object' } },
      { name: 'usual', inputSchema: nested(20) },
      { name: 'deep', inputSchema: nested(200) },
      { name: 'bottomless', inputSchema: nested(200_000) },
      { name: 'after' },
    ];
    expect(names(tools)).toEqual(['flat', 'usual', 'after']);
  });
});
