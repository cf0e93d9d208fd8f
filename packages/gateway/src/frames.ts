import { z } from 'zod';

// Every message between a hub and a client, in both dialects. PROTOCOL.md says which endpoint takes which, and why.
//
// - *seed*: init uploads `tree`; requests come as `operation` and `args`; results go back as `{ data }` or `{ error }`.
// - *later*: init announces `tools`; requests come as `toolCall`; results go back as `{ result }` or `{ error }`.
// - Croft's own daemon says `croft: { protocol: 1 }` in init and sends both `tree` and `tools`. Its requests are
//   `toolCall`; its results `{ data }` or `{ error }`, with `text` and `media` where the tool gave them.

/** Both places the endpoints stand at: clients of the later dialect put `/rest` before the path. */
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

/** The version of what Croft's daemon and Croft's hub add to the seed's protocol. */
export const CROFT_PROTOCOL = 1;

/** What one message may hold. Bytes, characters and counts as the names say; the seed's numbers where it has them. */
export const FRAME_LIMITS = {
  /** A request body; more is 413. */
  maxBodyBytes: 16 * 1024 * 1024,
  maxKeyChars: 256,
  maxRequestIdChars: 64,
  maxPathChars: 4_096,
  /** Entries of an uploaded tree that are kept; a longer one is cut and marked as such. */
  maxTreeEntries: 10_000,
  /** Entries a body may name at all. */
  maxTreeEntriesSent: 100_000,
  maxHostChars: 256,
  maxCategories: 50,
  /** Tools a client may announce; what is beyond is left out. */
  maxTools: 200,
  maxToolNameChars: 64,
  /** What is beyond is cut off. */
  maxToolDescriptionChars: 2_048,
  maxToolSchemaBytes: 64 * 1024,
  maxErrorChars: 8_192,
  maxContentBlocks: 200,
} as const;

/** How long things last, in milliseconds, unless a hub is told otherwise. */
export const TIMES = {
  pairingMs: 5 * 60_000,
  callTimeoutMs: 30_000,
  pingMs: 15_000,
  idleMs: 30 * 24 * 60 * 60_000,
  /** First wait of a client before it connects again, as the stream's `retry:` says. */
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

/** Counted before its elements are looked at, so that a very long list costs nothing. */
const listOf = <T extends z.ZodType>(element: T, max: number) =>
  z
    .unknown()
    .refine((value) => Array.isArray(value) && value.length <= max, {
      message: `must be a list of at most ${max} entries`,
    })
    .pipe(z.array(element));

const tree = listOf(treeEntrySchema, FRAME_LIMITS.maxTreeEntriesSent);
/** Entries are looked at one by one where the tree is packed: all at once they would keep a hub busy for too long. */
const unreadTree = listOf(z.unknown(), FRAME_LIMITS.maxTreeEntriesSent);

/** A tool as a client announces it: MCP's shape. What it claims is a hint, and is bounded again by the hub. */
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

/** Groups of tools the person allowed or not, for the page that shows who is connected. */
export const toolCategorySchema = z.object({
  name: z.string().max(64),
  enabled: z.boolean(),
  writeAccess: z.boolean().optional(),
});
export type ToolCategory = z.infer<typeof toolCategorySchema>;

/** What Croft's own daemon says of itself. */
export const croftClientSchema = z.object({
  version: z.string().max(64),
  protocol: z.literal(CROFT_PROTOCOL),
  /** Names of the tools it serves to a Croft hub; their schemas stand in `tools` of the same init. */
  tools: listOf(z.string().max(FRAME_LIMITS.maxToolNameChars), FRAME_LIMITS.maxTools),
  /** It answers a ping that wants an answer, so that a hub may take its silence for an end. */
  answersPings: z.boolean().optional(),
});

const describedDirectory = {
  rootPath: path,
  /** The tree drawn by the client. A hub draws its own from `tree`, so this is not kept. */
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

/** Body of `init`, in every dialect. At least one of `tree`, `treeText` and `tools` says which one it is. */
export const initSchema = initOf(tree);
export type InitFrame = z.infer<typeof initSchema>;
/** The same with its tree's entries as they came: as a hub reads it first. */
export const unreadInitSchema = initOf(unreadTree);
export type UnreadInitFrame = z.infer<typeof unreadInitSchema>;

/** Body of `tree`: what `init` says of the directory, again. */
export const treeUpdateSchema = z.object({ ...describedDirectory, tree });
export type TreeUpdateFrame = z.infer<typeof treeUpdateSchema>;
/** The same with its entries as they came. */
export const unreadTreeUpdateSchema = z.object({ ...describedDirectory, tree: unreadTree });

/** Reply to `init`. `sessionKey` only where a pairing token was used up; `croft` only to Croft's daemon. */
export const initReplySchema = z.looseObject({
  ok: z.literal(true),
  sessionKey: z.string().max(FRAME_LIMITS.maxKeyChars).optional(),
  croft: z.looseObject({ protocol: z.number() }).optional(),
});
export type InitReply = z.infer<typeof initReplySchema>;

/** A request to the client. Which of `operation` and `toolCall` it carries follows from what init carried. */
export interface RequestFrame {
  readonly type: 'filesystem-request';
  readonly payload: {
    readonly requestId: string;
    /** What is left of the call's time when it is sent. */
    readonly deadlineMs: number;
    readonly operation?: string;
    readonly args?: Readonly<Record<string, unknown>>;
    readonly toolCall?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  };
}
/** Nobody waits for the answer to this request any longer. */
export interface CancelFrame {
  readonly type: 'filesystem-cancel';
  readonly payload: { readonly requestId: string };
}
/** Why a stream is being ended, when it is the client's turn to stop. */
export type DisconnectReason = 'superseded' | 'disconnected';
/** The last frame of a stream. The client does not connect again by itself. */
export interface DisconnectFrame {
  readonly type: 'gateway-disconnect';
  readonly payload: { readonly reason: DisconnectReason };
}
/** A ping a program can see; to Croft's daemon only. Every stream also gets `: ping` comments. */
export interface PingFrame {
  readonly type: 'ping';
  /** `POST alive` is waited for; only to a client that said `answersPings`. */
  readonly answer?: true;
}
/** What travels on a stream: unnamed events, one JSON object each. */
export type ServerFrame = RequestFrame | CancelFrame | DisconnectFrame | PingFrame;

/** The same, as a client reads it: what it does not know is left alone. */
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

/** One block of an MCP result. Kinds a hub does not know are left out of what the model gets. */
export const contentBlockSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string().max(256) }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      uri: z.string().max(FRAME_LIMITS.maxPathChars),
      mimeType: z.string().max(256).optional(),
      blob: z.string().optional(),
      text: z.string().optional(),
    }),
  }),
  z.looseObject({ type: z.string() }),
]);
export type ContentBlock = z.infer<typeof contentBlockSchema>;

/** A result of the later dialect. */
export const toolResultSchema = z.object({
  content: listOf(contentBlockSchema, FRAME_LIMITS.maxContentBlocks).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

/** Binary content of a result of Croft's own daemon, as `@croft/tools` has it. */
export const mediaSchema = z.union([
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string().max(256) }),
  z.object({ type: z.literal('resource'), uri: z.string(), data: z.string(), mimeType: z.string().max(256) }),
]);

/**
 * Body of `response/:requestId`. One of `data` (seed, Croft), `result` (later) and `error` (all) must be there; `error`
 * decides. Beside `error`, `data` is the envelope of the failure, where the tool has one.
 */
export const responseSchema = z
  .object({
    data: z.unknown().optional(),
    result: toolResultSchema.optional(),
    error: z
      .union([z.string(), z.looseObject({ message: z.string() }).transform((error) => error.message)])
      .transform((error) => error.slice(0, FRAME_LIMITS.maxErrorChars))
      .optional(),
    /** What the model reads, where that is not `data` as JSON. */
    text: z.string().optional(),
    media: listOf(mediaSchema, FRAME_LIMITS.maxContentBlocks).optional(),
  })
  .refine((body) => body.data !== undefined || body.result !== undefined || body.error !== undefined, {
    message: 'needs one of `data`, `result` and `error`',
  });
export type ResponseFrame = z.infer<typeof responseSchema>;

/** Body of `gateway/create-link`. `renew` replaces an open token. */
export const createLinkSchema = z.object({ renew: z.boolean().optional() });
/** Body of `filesystem/toggle`. Without `enabled` the endpoint inverts the switch. */
export const toggleSchema = z.object({ enabled: z.boolean().optional() });

/** What the page shows of a user's machine, and the reply of `status`. */
export interface GatewayStatus {
  readonly connected: boolean;
  /** ISO 8601. */
  readonly connectedAt: string | null;
  readonly directory: string | null;
  readonly hostIdentifier: string | null;
  readonly toolCategories: readonly ToolCategory[];
  /** The person's switch: off means no tools, connected or not. */
  readonly enabled: boolean;
  /** When the unused pairing token ends, ISO 8601, where there is one. */
  readonly expiresAt?: string;
}

/** What every failure of an endpoint says. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
}
