import { z } from 'zod';
import { listOf } from './bounded-list.ts';

// Every message between a hub and a client, in all dialects; the bodies of responses are in response-frame.ts. PROTOCOL.md describes the endpoints.
//
// - *seed*, the first dialect: init uploads `tree`; requests are `operation` and `args`; results are `{ data }` or `{
//   error }`.
// - *later*: init announces `tools`; requests are `toolCall`; results are `{ result }` or `{ error }`.
// - Croft's own daemon sends `croft: { protocol: 1 }` in init, and both `tree` and `tools`. Its requests are
//   `toolCall`; its results `{ data }` or `{ error }`, with the tool's `text` and `media`.

/** Both prefixes of the endpoints: clients of the later dialect put `/rest` before the path. */
export const PREFIXES = ['/instance-ai', '/rest/instance-ai'] as const;

/** Paths below a prefix. `response` is followed by `/:requestId`. */
export const PATHS = {
  createLink: '/gateway/create-link',
  init: '/gateway/init',
  events: '/gateway/events',
  response: '/gateway/response',
  status: '/gateway/status',
  disconnect: '/gateway/disconnect',
  disconnectSession: '/gateway/disconnect-session',
  /** Croft's own addition: a fresh tree after files changed. */
  tree: '/gateway/tree',
  /** Croft's own addition: the answer to a ping that wants one. */
  alive: '/gateway/alive',
  toggle: '/filesystem/toggle',
} as const;

/** The header that carries a key. Node gives header names in lower case. */
export const KEY_HEADER = 'x-gateway-key';

/** The version of the additions by Croft's daemon and Croft's hub to the first dialect. */
export const CROFT_PROTOCOL = 1;

/** Limits of one message. Units are in the names; the numbers of the first dialect apply where it defines them. */
export const FRAME_LIMITS = {
  /** A request body; a larger one gets 413. */
  maxBodyBytes: 16 * 1024 * 1024,
  maxKeyChars: 256,
  maxRequestIdChars: 64,
  maxPathChars: 4_096,
  /** Entries of an uploaded tree that are kept; a longer tree is cut and marked. */
  maxTreeEntries: 10_000,
  /** Entries that a body may contain. */
  maxTreeEntriesSent: 100_000,
  maxHostChars: 256,
  maxCategories: 50,
  /** Tools that a client may announce; further ones are left out. */
  maxTools: 200,
  maxToolNameChars: 64,
  /** Longer descriptions are cut. */
  maxToolDescriptionChars: 2_048,
  maxToolSchemaBytes: 64 * 1024,
  maxErrorChars: 8_192,
  maxContentBlocks: 200,
} as const;

/** Default durations, in milliseconds. */
export const TIMES = {
  pairingMs: 5 * 60_000,
  callTimeoutMs: 30_000,
  pingMs: 15_000,
  idleMs: 30 * 24 * 60 * 60_000,
  /** A client's first wait before it reconnects, also sent as the stream's `retry:`. */
  retryMs: 1_000,
  maxRetryMs: 30_000,
} as const;

const path = z.string().max(FRAME_LIMITS.maxPathChars);

/** One entry of an uploaded tree. `path` is relative to the root and uses `/`. */
export const treeEntrySchema = z.object({
  path,
  type: z.enum(['file', 'directory']),
  sizeBytes: z.number().int().nonnegative().optional(),
});
export type TreeEntryFrame = z.infer<typeof treeEntrySchema>;

const tree = listOf(treeEntrySchema, FRAME_LIMITS.maxTreeEntriesSent);
/** The packing of the tree checks entries one by one: all at once they would block a hub for too long. */
const unreadTree = listOf(z.unknown(), FRAME_LIMITS.maxTreeEntriesSent);

/** A tool as a client announces it, in MCP's shape. Its claims are hints, and the hub bounds them again. */
export const announcedToolSchema = z.looseObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.looseObject({}).optional(),
  annotations: z
    .looseObject({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
      category: z.string().optional(),
    })
    .optional(),
});
export type AnnouncedTool = z.infer<typeof announcedToolSchema>;

/** Groups of tools that the person allowed or not, for the page that shows connected machines. */
export const toolCategorySchema = z.object({
  name: z.string().max(64),
  enabled: z.boolean(),
  writeAccess: z.boolean().optional(),
});
export type ToolCategory = z.infer<typeof toolCategorySchema>;

/** What Croft's own daemon reports about itself. */
export const croftClientSchema = z.object({
  version: z.string().max(64),
  protocol: z.literal(CROFT_PROTOCOL),
  /** Names of the tools it serves to a Croft hub; their schemas are in `tools` of the same init. */
  tools: listOf(z.string().max(FRAME_LIMITS.maxToolNameChars), FRAME_LIMITS.maxTools),
  /** It answers a ping that wants an answer, so a hub may treat its silence as an end. */
  answersPings: z.boolean().optional(),
});

const describedDirectory = {
  rootPath: path,
  /** The tree drawn by the client. Not kept: a hub draws its own from `tree`. */
  treeText: z.string().optional(),
  /** More entries exist than `tree` has (Croft's addition). */
  treeTruncated: z.boolean().optional(),
};

const initOf = <T extends z.ZodType>(entries: T) =>
  z
    .object({
      ...describedDirectory,
      tree: entries.optional(),
      tools: listOf(z.unknown(), 1_000).optional(),
      hostIdentifier: z.string().max(FRAME_LIMITS.maxHostChars).optional(),
      toolCategories: listOf(toolCategorySchema, FRAME_LIMITS.maxCategories).optional(),
      croft: croftClientSchema.optional(),
    })
    .refine((body) => body.tree !== undefined || body.treeText !== undefined || body.tools !== undefined, {
      message: 'needs `tree` and `treeText`, or `tools`',
    });

/** Body of `init`, in every dialect. At least one of `tree`, `treeText` and `tools` determines the dialect. */
export const initSchema = initOf(tree);
export type InitFrame = z.infer<typeof initSchema>;
/** The same with unchecked entries of its tree: as a hub reads it first. */
export const unreadInitSchema = initOf(unreadTree);
export type UnreadInitFrame = z.infer<typeof unreadInitSchema>;

/** Body of `tree`: the same description of the directory as in `init`. */
export const treeUpdateSchema = z.object({ ...describedDirectory, tree });
export type TreeUpdateFrame = z.infer<typeof treeUpdateSchema>;
/** The same with unchecked entries. */
export const unreadTreeUpdateSchema = z.object({ ...describedDirectory, tree: unreadTree });

/** Reply to `init`. `sessionKey` only if a pairing token was used up; `croft` only to Croft's daemon. */
export const initReplySchema = z.looseObject({
  ok: z.literal(true),
  sessionKey: z.string().max(FRAME_LIMITS.maxKeyChars).optional(),
  croft: z.looseObject({ protocol: z.number() }).optional(),
});
export type InitReply = z.infer<typeof initReplySchema>;

/** A request to the client. It carries `operation` or `toolCall`, depending on the dialect. */
export interface RequestFrame {
  readonly type: 'filesystem-request';
  readonly payload: {
    readonly requestId: string;
    /** The remaining time of the call when it is sent, in milliseconds. */
    readonly deadlineMs: number;
    readonly operation?: string;
    readonly args?: Readonly<Record<string, unknown>>;
    readonly toolCall?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  };
}
/** Tells the client that the response to this request is no longer needed. */
export interface CancelFrame {
  readonly type: 'filesystem-cancel';
  readonly payload: { readonly requestId: string };
}
/** Why a stream ends, if the client must stop. */
export type DisconnectReason = 'superseded' | 'disconnected';
/** The last frame of a stream. The client does not reconnect by itself. */
export interface DisconnectFrame {
  readonly type: 'gateway-disconnect';
  readonly payload: { readonly reason: DisconnectReason };
}
/** A ping that a program can see; only to Croft's daemon. Every stream also gets `: ping` comments. */
export interface PingFrame {
  readonly type: 'ping';
  /** The hub waits for `POST alive`; only to a client that sent `answersPings`. */
  readonly answer?: true;
}
/** The messages on a stream: unnamed events, one JSON object each. */
export type ServerFrame = RequestFrame | CancelFrame | DisconnectFrame | PingFrame;

/** The same, as a client reads it: it ignores what it does not know. */
export const serverFrameSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('filesystem-request'),
    payload: z.object({
      requestId: z.string().min(1).max(FRAME_LIMITS.maxRequestIdChars),
      deadlineMs: z.number().optional(),
      operation: z.string().optional(),
      args: z.record(z.string(), z.unknown()).optional(),
      toolCall: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }).optional(),
    }),
  }),
  z.object({ type: z.literal('filesystem-cancel'), payload: z.object({ requestId: z.string() }) }),
  z.object({
    type: z.literal('gateway-disconnect'),
    payload: z.looseObject({ reason: z.string().optional() }).optional(),
  }),
  z.object({ type: z.literal('ping'), answer: z.boolean().optional() }),
]);

/** Body of `gateway/create-link`. `renew` replaces an open token. */
export const createLinkSchema = z.object({ renew: z.boolean().optional() });
/** Body of `filesystem/toggle`. Without `enabled` the endpoint inverts the switch. */
export const toggleSchema = z.object({ enabled: z.boolean().optional() });

/** The status of a user's machine for the page, and the reply of `status`. */
export interface GatewayStatus {
  readonly connected: boolean;
  /** ISO 8601. */
  readonly connectedAt: string | null;
  readonly directory: string | null;
  readonly hostIdentifier: string | null;
  readonly toolCategories: readonly ToolCategory[];
  /** The person's switch: off means no tools, connected or not. */
  readonly enabled: boolean;
  /** When the unused pairing token expires, ISO 8601, if there is one. */
  readonly expiresAt?: string;
}

/** The body of every failure of an endpoint. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
}
