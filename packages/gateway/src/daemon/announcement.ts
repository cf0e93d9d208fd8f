import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { AnyTool } from '@croft/tools';
import { z } from 'zod';
import { type AnnouncedTool, CROFT_PROTOCOL, FRAME_LIMITS, type InitFrame, type TreeUpdateFrame } from '../frames.ts';
import { drawScannedTree, type ScannedTree } from './scan-tree.ts';

/** The description of the directory, for `init` and after changes. */
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
  /** Croft's version. */
  readonly version: string;
}

/**
 * The body of `init`: tree and tools together, so that servers of both dialects find what they need. It contains the
 * directory's host path and the machine's name, which the server shows to the person.
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

/**
 * A tool as MCP lists it, with the category by which servers of the later dialect group tools. Each schema is derived
 * once.
 */
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
