import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { AnyTool } from '@croft/tools';
import { z } from 'zod';
import { type AnnouncedTool, CROFT_PROTOCOL, FRAME_LIMITS, type InitFrame, type TreeUpdateFrame } from '../frames.ts';
import { drawScannedTree, type ScannedTree } from './scan-tree.ts';

/** What a daemon says of the directory, in `init` and whenever it changed. */
export function describeTree(root: string, scanned: ScannedTree): TreeUpdateFrame {
  return {
    rootPath: root,
    tree: scanned.entries.map((entry) => ({ ...entry })),
    treeText: drawScannedTree(basename(root), scanned),
    ...(scanned.truncated && { treeTruncated: true }),
  };
}

export interface AnnouncementParts {
  readonly root: string;
  readonly scanned: ScannedTree;
  readonly tools: readonly AnyTool[];
  readonly allowWrite: boolean;
  /** Of Croft. */
  readonly version: string;
}

/**
 * The body of `init`: tree and tools in one, so that a server of either dialect takes what it knows. It tells the
 * server the directory's host path and the machine's name, because that is what the person is shown there.
 */
export function describeDaemon({ root, scanned, tools, allowWrite, version }: AnnouncementParts): InitFrame {
  return {
    ...describeTree(root, scanned),
    tools: tools.map(announce),
    hostIdentifier: hostname().slice(0, FRAME_LIMITS.maxHostChars),
    toolCategories: [{ name: 'filesystem', enabled: true, writeAccess: allowWrite }],
    croft: { version, protocol: CROFT_PROTOCOL, tools: tools.map(({ name }) => name), answersPings: true },
  };
}

const announced = new WeakMap<AnyTool, AnnouncedTool>();

/** A tool as MCP lists it, with the category that servers of the later dialect group by. Each schema is derived once. */
function announce(tool: AnyTool): AnnouncedTool {
  const known = announced.get(tool);
  if (known) return known;
  const made: AnnouncedTool = {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: z.toJSONSchema(tool.input, { io: 'input' }),
    annotations: { title: tool.title, ...tool.annotations, category: 'filesystem' },
  };
  announced.set(tool, made);
  return made;
}
