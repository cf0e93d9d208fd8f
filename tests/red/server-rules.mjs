// Mutations of the server's entry points: each removes one rule and names the test that must then fail.
const SRC = 'apps/server/src/';

const inServer = (file, find, replace) => ({ file: SRC + file, find, replace });
const files = (name) => ({ file: `${SRC}routes/file-routes.test.ts`, name });
const accounts = (name) => ({ file: `${SRC}accounts/accounts.test.ts`, name });
const isolation = (name) => ({ file: `${SRC}isolation.test.ts`, name });
const sharing = (name) => ({ file: `${SRC}routes/flow-share-routes.test.ts`, name });
const starting = (name) => ({ file: `${SRC}start-server.test.ts`, name });
const hooks = (name) => ({ file: `${SRC}routes/webhook-routes.test.ts`, name });
const guarding = (name) => ({ file: `${SRC}guard-inside.test.ts`, name });

const auditing = (name) => ({ file: `${SRC}audit.test.ts`, name });
const variables = (name) => ({ file: `${SRC}variables/variables.test.ts`, name });

const running = (name) => ({ file: `${SRC}routes/run-routes.test.ts`, name });

const listing = (name) => ({ file: `${SRC}routes/mcp-server-routes.test.ts`, name });
const commands = (name) => ({ file: `${SRC}routes/flow-command-routes.test.ts`, name });

const links = (name) => ({ file: `${SRC}public-links/public-links.test.ts`, name });
const ofOtherMode = {
  file: `${SRC}flow-runs/worker-settings.test.ts`,
  name: 'runs nothing with the files of the local user',
};

const asking = (name) => ({ file: `${SRC}flow-runs/ask-machine.test.ts`, name });

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const SERVER_RULES = [
  {
    rule: 'flow runs: a run under way follows the mode of the shared files',
    edits: [
      inServer(
        'flow-runs/run-files.ts',
        '  new Proxy({} as Workspace, { get: (_, name) => open()[name as keyof Workspace] });',
        '  open();',
      ),
    ],
    test: { file: `${SRC}flow-runs/run-files.test.ts`, name: 'only while an admin lets users write there' },
  },
  {
    rule: 'flow runs: a Sub-path does not lead into a mount',
    edits: [inServer('flow-runs/run-files.ts', 'tree.namespaceOf(path) !== tree.top', 'path === undefined')],
    test: { file: `${SRC}flow-runs/run-files.test.ts`, name: 'refuses a Sub-path in a mount' },
  },
  {
    rule: 'flow runs: a Sub-path does not lead through a link behind a mount',
    edits: [inServer('flow-runs/run-files.ts', '(at.inside && isMounted(at.path))', 'at === undefined')],
    test: { file: `${SRC}flow-runs/run-files.test.ts`, name: 'through a link into a directory that a mount hides' },
  },
  {
    rule: 'flow runs: changes of a Sub-path are in the log of the files that they are in',
    edits: [inServer('flow-runs/run-files.ts', 'recordsIn(() => open().top)', 'records')],
    test: { file: `${SRC}flow-runs/run-files.test.ts`, name: 'records the changes of a Sub-path' },
  },
  {
    rule: 'flow runs: the thread of runs checks no input by a schema of a machine',
    edits: [inServer('flow-runs/ask-machine.ts', 'z.looseObject({}).meta(input)', 'z.fromJSONSchema(input)')],
    test: asking('by a pattern of a machine'),
  },
  {
    rule: 'public links: a link works only while its owner is an admin',
    edits: [inServer('public-links/public-links.ts', ", eq(user.role, 'admin')", '')],
    test: links('while the owner is not an admin'),
  },
  {
    rule: 'public links: the link of an account does not work without accounts',
    edits: [inServer('public-links/public-links.ts', 'isOfThisMode(row.ownerId, mode) ? row : undefined', 'row')],
    test: links('opens nothing of an account without accounts'),
  },
  {
    rule: 'server: a response under way ends when its access is gone',
    edits: [inServer('watch-access.ts', '.catch(() => true))) end();', '.catch(() => true))) return;')],
    test: { file: `${SRC}watch-access.test.ts`, name: 'once its access is gone' },
  },
  {
    rule: 'sharing: a program runs no change of another user that its user has not accepted',
    edits: [
      inServer(
        'flow-runs/start-stored-flow.ts',
        "(via === 'key' ? readForPrograms : readFlow)",
        "(via === 'key' && !readForPrograms ? readForPrograms : readFlow)",
      ),
    ],
    test: sharing('only at a version that the owner accepted'),
  },
  {
    rule: 'sharing: an MCP client runs no change of another user that its user has not accepted',
    edits: [
      inServer('flow-tools/started-run.ts', 'readFlow ?? readFlowOf(options, caller)', 'readFlow ?? options.readFlow'),
    ],
    test: { file: `${SRC}flow-tools/hostile-flows.test.ts`, name: 'runs no change of another user' },
  },
  {
    rule: 'sharing: the assistant of a program runs no change of another user that its user has not accepted',
    edits: [
      inServer(
        'assistant/start-turn-run.ts',
        '...options, readFlow: readFlowOf(options, caller)',
        '...options, readFlow: readFlowOf(options, caller) && options.readFlow',
      ),
    ],
    test: { file: `${SRC}flow-tools/hostile-flows.test.ts`, name: 'runs no change of another user' },
  },
  {
    rule: 'server: a stream ends when its API key is revoked',
    edits: [inServer('routes/serve-routes.ts', "identified?.caller.via === 'key')", 'identified === null)')],
    test: { file: `${SRC}routes/serve-routes.test.ts`, name: 'the API key that opened it was revoked' },
  },
  {
    rule: 'server: the events of a run end with the session of their reader',
    edits: [inServer('routes/run-routes.ts', "if (caller.via !== 'key') endWithCaller", 'if (false) endWithCaller')],
    test: running('while the session of its reader lasts'),
  },
  {
    rule: 'server: a streamed run ends when its API key is revoked',
    edits: [inServer('routes/run-routes.ts', "if (caller.via === 'key') cancelWithKey", 'if (false) cancelWithKey')],
    test: running('is cancelled when the API key'),
  },
  {
    rule: 'server: a run over MCP ends when its API key is revoked',
    edits: [
      inServer(
        'routes/flow-mcp-route.ts',
        "caller.via === 'key' ? (run) =>",
        "caller.key === 'no such key' ? (run) =>",
      ),
    ],
    test: running('is cancelled when the API key'),
  },
  {
    rule: 'server: an MCP stream ends when its API key is revoked',
    edits: [
      inServer(
        'routes/mcp-route.ts',
        "if (caller.via === 'key') endWithCaller",
        'if (caller === undefined) endWithCaller',
      ),
    ],
    test: { file: `${SRC}routes/mcp-route.test.ts`, name: 'ends a stream within two seconds' },
  },
  {
    rule: 'schedules: a schedule of an account starts nothing without accounts',
    edits: [inServer('flow-runs/worker-settings.ts', ' || !isOfThisMode(userId, rest)', '')],
    test: ofOtherMode,
  },
  {
    rule: 'flow runs: a queued run of an account has no files without accounts',
    edits: [
      inServer(
        'flow-runs/worker-settings.ts',
        'if (!isOfThisMode(userId, rest)) throw',
        'if (rest === undefined) throw',
      ),
    ],
    test: ofOtherMode,
  },
  {
    rule: 'server: runs and turns of a disabled user end where the notice of another process was missed',
    edits: [inServer('change-handlers.ts', 'if (await isActive(userId)) continue;', 'if (userId) continue;')],
    test: { file: `${SRC}change-handlers.test.ts`, name: 'cancels runs and turns of disabled users' },
  },
  {
    rule: 'server: a sign-in with the password before a change leaves no session',
    edits: [
      inServer('accounts/authentication.ts', 'if (latest?.password !== credential?.password)', 'if (latest === null)'),
    ],
    test: { file: `${SRC}accounts/authentication.test.ts`, name: 'whose password was changed after it was checked' },
  },
  {
    rule: 'server: a cookie counts only on same-origin requests',
    edits: [inServer('identify.ts', '  refuseForeignPage(request, options.originRule);\n', '')],
    test: files('another site'),
  },
  {
    rule: 'server: a form request is anonymous',
    edits: [inServer('identify.ts', '(isReading || noFormSends || isPlain)', 'true')],
    test: files('another site'),
  },
  {
    rule: 'server: a foreign Host is refused',
    edits: [
      inServer('edge/own-origin.ts', 'if (url === undefined || !names.has(url.hostname))', 'if (url === undefined)'),
    ],
    test: files('by a name'),
  },
  {
    rule: 'server: a foreign Origin is refused',
    edits: [
      inServer(
        'edge/own-origin.ts',
        "if (origin !== undefined && !isOurs(origin, url.port)) return 'Origin not allowed';",
        '',
      ),
    ],
    test: files('another site'),
  },
  {
    rule: 'server: an API key is not a session',
    edits: [inServer('routes/serve-routes.ts', "if (isForPeople(access) && via === 'key')", 'if (false)')],
    test: accounts('cannot make keys'),
  },
  {
    rule: 'server: admin endpoints require an admin',
    edits: [inServer('routes/serve-routes.ts', "if (access.startsWith('admin') && role !== 'admin')", 'if (false)')],
    test: accounts('are for admins'),
  },
  {
    rule: 'server: the audit log is for administrators',
    edits: [inServer('contract/audit-routes.ts', "access: 'admin',\n    query", "access: 'caller',\n    query")],
    test: { file: `${SRC}routes/audit-routes.test.ts`, name: 'is for administrators' },
  },
  {
    rule: 'server: refused calls are in the audit log',
    edits: [inServer('routes/serve-routes.ts', 'if (identified !== undefined && isAudited(definition))', 'if (false)')],
    test: auditing('need a session or an administrator'),
  },
  {
    rule: 'server: a flow deleted over MCP is in the audit log',
    edits: [
      inServer(
        'flow-tools/manage-tools.ts',
        "options.recordAudit?.({ action: 'deleteFlow'",
        "void ({ action: 'deleteFlow'",
      ),
    ],
    test: auditing('deletes over MCP'),
  },
  {
    rule: 'server: a repeated action pushes out no other events of the audit log',
    edits: [inServer('store/prune-audit-log.ts', 'if (Number(size) <= kept) continue;', 'continue;')],
    test: { file: `${SRC}store/audit-log.test.ts`, name: 'when one user repeats' },
  },
  {
    rule: 'server: a log line does not control a terminal',
    edits: [inServer('log.ts', 'line.replace(HIDDEN, escaped)', 'line')],
    test: { file: `${SRC}log.test.ts`, name: 'control a terminal' },
  },
  {
    rule: 'server: anonymous requests are refused',
    edits: [
      inServer(
        'routes/serve-routes.ts',
        'if (identified === undefined) throw notSignedIn();\n  const',
        'if (identified === undefined) return;\n  const',
      ),
    ],
    test: isolation('by a stranger'),
  },
  {
    rule: 'server: sign-in attempts are counted',
    edits: [
      inServer(
        'routes/account-routes.ts',
        'const wasRight = await limits.take(tried).catch((error: unknown) => {',
        'const wasRight = await Promise.resolve(async () => {}).catch((error: unknown) => {',
      ),
    ],
    test: accounts('is slowed down'),
  },
  {
    rule: 'server: MCP serves the files of the caller',
    edits: [
      inServer(
        'files/caller-files.ts',
        'autoLogin ? namespaces.shared() : namespaces.mineOf(userId)',
        'namespaces.shared()',
      ),
    ],
    test: isolation('over MCP'),
  },
  {
    rule: 'server: an undo cannot be undone',
    edits: [inServer('routes/file-routes.ts', 'one.undoes === undefined && ', '')],
    test: {
      file: `${SRC}routes/file-routes.test.ts`,
      name: 'are stored, listed, looked at, renamed, deleted and had back',
    },
  },
  {
    rule: 'server: of shared files a user compares only own changes',
    edits: [
      inServer(
        'routes/activity-routes.ts',
        'return namespace === tree.top || actor.userId === userId;',
        'return actor !== undefined;',
      ),
    ],
    test: { file: `${SRC}files/caller-files.test.ts`, name: 'compares only the caller’s own changes' },
  },
  {
    rule: 'server: of shared files a user undoes only own changes',
    edits: [inServer('files/undoable-changes.ts', 'return !isOthersToo || (', 'return true || (')],
    test: { file: `${SRC}files/caller-files.test.ts`, name: 'others see it, and cannot take it back' },
  },
  {
    rule: 'server: a program cannot claim that a page started its run',
    edits: [inServer('routes/run-routes.ts', "via === 'key' ? 'key' : (from ?? 'page')", "from ?? 'key'")],
    test: { file: `${SRC}routes/run-starts.test.ts`, name: 'a program cannot claim to be a page' },
  },
  {
    rule: 'server: the schema of an MCP server is read in bounded time',
    edits: [inServer('flow-parts/bounded-schema.ts', 'size > MAX_SIZE || ', '')],
    test: { file: `${SRC}flow-parts/check-arguments.test.ts`, name: 'doubles with each reference' },
  },
  {
    rule: 'server: each user has a namespace',
    edits: [
      inServer(
        'files/namespaces.ts',
        "mineOf: (userId) => open('mine', userId),",
        "mineOf: () => open('mine', 'same'),",
      ),
    ],
    test: isolation('of another user'),
  },
  {
    rule: 'server: a flow is read by those who may',
    edits: [
      inServer(
        'flows/get-flow.ts',
        'or(eq(flow.userId, userId), isNotNull(flowShare.access)));',
        'or(eq(flow.userId, userId), isNotNull(flow.userId)));',
      ),
    ],
    test: isolation('by page: a flow'),
  },
  {
    rule: 'server: a flow is changed by those who may',
    edits: [inServer('flows/get-flow.ts', "if (access === 'read')", 'if (false)')],
    test: sharing('may read it and not change it'),
  },
  {
    rule: 'server: a flow is deleted and shared by its owner',
    edits: [inServer('flows/get-flow.ts', 'if (row.ownerId !== userId) throw', 'if (row.ownerId === "") throw')],
    test: sharing('may read it and not change it'),
  },
  {
    rule: 'server: the shares of a flow are for its owner',
    edits: [
      inServer(
        'flows/share-flow.ts',
        "if (access !== 'owner') throw",
        "if (access !== 'owner' && flowId === '') throw",
      ),
    ],
    test: sharing('may read it and not change it'),
  },
  {
    rule: 'server: a schedule is added by a session',
    edits: [
      inServer(
        'contract/schedule-routes.ts',
        "with its stored values',\n    access: 'session',",
        "with its stored values',\n    access: 'caller',",
      ),
    ],
    test: { file: `${SRC}routes/schedule-routes.test.ts`, name: 'a key adds, changes and turns on no schedule' },
  },
  {
    rule: 'server: a schedule is changed by a session',
    edits: [
      inServer(
        'contract/schedule-routes.ts',
        "pause a schedule',\n    access: 'session',",
        "pause a schedule',\n    access: 'caller',",
      ),
    ],
    test: { file: `${SRC}routes/schedule-routes.test.ts`, name: 'a key adds, changes and turns on no schedule' },
  },
  {
    rule: 'server: a webhook is turned on by a session',
    edits: [
      inServer(
        'contract/webhook-routes.ts',
        "switch it off or on',\n    access: 'session',",
        "switch it off or on',\n    access: 'caller',",
      ),
    ],
    test: { file: `${SRC}routes/webhook-routes.test.ts`, name: 'a key makes and turns on none' },
  },
  {
    rule: 'server: a deleted flow is restored by a session',
    edits: [
      inServer(
        'contract/flow-routes.ts',
        "Its schedules are gone',\n    access: 'session',",
        "Its schedules are gone',\n    access: 'caller',",
      ),
    ],
    test: { file: `${SRC}routes/deleted-flows.test.ts`, name: 'is not restored with an API key' },
  },
  {
    rule: 'server: a machine is connected and switched on by a session',
    edits: [inServer('edge/answer-raw.ts', "if (caller?.via === 'key' && needsSession", 'if (false && needsSession')],
    test: { file: `${SRC}edge/answer-raw.test.ts`, name: 'takes a caller with a' },
  },
  {
    rule: 'server: a reply through the guard ends with its API key',
    edits: [inServer('edge/answer-raw.ts', 'endWithCaller(response, () => ownerOfKey(key), lookMs);', '')],
    test: { file: `${SRC}guard-inside.test.ts`, name: 'ends a reply under way' },
  },
  {
    rule: 'server: a flow is shared by a session',
    edits: [
      inServer(
        'contract/flow-share-routes.ts',
        "which of the two',\n    access: 'session',",
        "which of the two',\n    access: 'caller',",
      ),
    ],
    test: sharing('or by an API key'),
  },
  {
    rule: 'server: a restore point is read through its flow',
    edits: [
      inServer(
        'flows/restore-points.ts',
        '.where(and(eq(flowRestorePoint.flowId, flowId), eq(flowRestorePoint.id, id)));\n  if (row === undefined) throw',
        '.where(eq(flowRestorePoint.id, id));\n  if (row === undefined) throw',
      ),
    ],
    test: sharing('another flow does not reach it'),
  },
  {
    rule: 'server: a restore point is deleted through its flow',
    edits: [
      inServer(
        'flows/restore-points.ts',
        '.where(and(eq(flowRestorePoint.flowId, flowId), eq(flowRestorePoint.id, id)))\n      .returning',
        '.where(eq(flowRestorePoint.id, id))\n      .returning',
      ),
    ],
    test: sharing('another flow does not reach it'),
  },
  {
    rule: 'server: undo reverts edits of the caller',
    edits: [
      inServer(
        'flows/undo-edit.ts',
        'const isOwn = entry.userId === userId && (',
        'const isOwn = entry.version > 0 && (',
      ),
    ],
    test: sharing('reverts the edits of the caller'),
  },
  {
    rule: 'server: an exported flow has no secrets',
    edits: [
      inServer(
        'flows/read-flow.ts',
        'redactFlow(document, { registry: parts.flowComponents.builtins, variables: names });',
        'redactFlow === undefined || names ? { flow: document, removed: [] } : redactFlow(document, {} as never);',
      ),
    ],
    test: { file: `${SRC}routes/flow-transfer-routes.test.ts`, name: 'has no secret' },
  },
  {
    rule: 'server: a list of flows has those of the caller',
    edits: [
      inServer(
        'flows/list-flows.ts',
        '.where(and(eq(flow.userId, userId), ...conditions))',
        '.where(and(isNotNull(flow.userId), ...conditions))',
      ),
      inServer(
        'flows/list-flows.ts',
        'import { and, desc, eq, inArray, isNull, lt,',
        'import { and, desc, eq, inArray, isNotNull, isNull, lt,',
      ),
    ],
    test: isolation('is still there'),
  },
  {
    rule: 'server: MCP requires a caller',
    edits: [inServer('routes/mcp-route.ts', 'if (identified === undefined)', 'if (false)')],
    test: isolation('over MCP'),
  },
  {
    rule: 'server: a file opened in a browser runs no script',
    edits: [inServer('routes/content-routes.ts', "'Content-Security-Policy': \"sandbox; default-src 'none'\",", '')],
    test: files('are shown as'),
  },
  {
    rule: 'server: a one-time address opens once',
    edits: [inServer('local-session.ts', 'return codes.delete(code);', 'return true;')],
    test: starting('opens its page once'),
  },
  {
    rule: 'server: the local cookie is signed',
    edits: [
      inServer(
        'local-session.ts',
        'if (!keys.some((key) => sameSecret(signature, sign(key, issued)))) return false;',
        '',
      ),
    ],
    test: starting('keeps out a visitor'),
  },
  {
    rule: 'server: only trusted proxies set the client address',
    edits: [inServer('edge/addresses.ts', 'if (!isTrusted(address)) break;', '')],
    test: starting('counts tries'),
  },
  {
    rule: 'server: a server without sign-in refuses other machines',
    edits: [inServer('exposure.ts', 'if (autoLogin && reachedAt !== undefined && !allowOpenAutoLogin)', 'if (false)')],
    test: starting('is refused on'),
  },
  {
    rule: 'server: a bearer token excludes every other credential',
    edits: [
      inServer(
        'identify.ts',
        'if (owner === undefined || !isOfThisMode(owner.userId, options)) return undefined;',
        'if (owner === undefined) return options.accounts.find(cookie ?? "").then((f) => f && ({ caller: { userId: f.user.id, role: f.user.role, via: "session" } }));',
      ),
    ],
    test: accounts('count alone'),
  },
  {
    rule: 'server: the guard requires a key',
    edits: [
      inServer(
        'edge/answer-raw.ts',
        "if (typeof key !== 'string' || (await ownerOfKey(key)) === undefined)",
        'if (false)',
      ),
    ],
    test: guarding('passes nothing on'),
  },
  {
    rule: 'server: the key and the cookie are not sent to a model',
    edits: [inServer('guard-inside.ts', "forget(request, ['x-croft-key', 'cookie']);", '')],
    test: guarding('inside the project'),
  },
  {
    rule: 'server: the API key of an admin cannot change accounts',
    edits: [
      inServer(
        'contract/define-route.ts',
        "access === 'session' || access === 'admin-session'",
        "access === 'session'",
      ),
    ],
    test: isolation('looks at users, and neither makes, changes nor removes one'),
  },
  {
    rule: 'server: a variable is bound to its user, name and hosts',
    edits: [
      inServer('variables/variables.ts', 'JSON.stringify([userId, name, hosts])', '`${[userId, name, hosts].length}`'),
    ],
    test: variables('does not open for another user'),
  },
  {
    rule: 'server: a variable is deleted by its owner only',
    edits: [
      inServer(
        'variables/variables.ts',
        '.where(and(eq(variable.userId, userId), eq(variable.name, name)))\n        .returning',
        '.where(eq(variable.name, name))\n        .returning',
      ),
    ],
    test: isolation('a variable to delete'),
  },
  {
    rule: 'server: an API key cannot set variables',
    edits: [
      inServer(
        'contract/variable-routes.ts',
        "Its value is stored encrypted and never returned',\n    access: 'session'",
        "Its value is stored encrypted and never returned',\n    access: 'caller'",
      ),
    ],
    test: { file: `${SRC}routes/variable-routes.test.ts`, name: 'sets, lists and deletes variables' },
  },
  {
    rule: 'server: flows reach the network through the guarded fetch',
    edits: [
      inServer(
        'flow-runs/run-services.ts',
        'const fetch = flowFetch(settings);',
        'const fetch = settings === undefined ? flowFetch(settings) : globalThis.fetch;',
      ),
    ],
    test: running('reaches no private address'),
  },
  {
    rule: 'server: runs get the variables of their user, not the environment',
    edits: [
      inServer(
        'flow-runs/run-services.ts',
        'variables: Object.fromEntries(own.map(({ name, value }) => [name, value]))',
        'variables: { ...process.env, ...Object.fromEntries(own.map(({ name, value }) => [name, value])) }',
      ),
    ],
    test: running('of the environment is used by no run'),
  },
  {
    rule: 'server: events of a run have no secret',
    edits: [inServer('flow-runs/run-services.ts', 'spellingsOf([...values, ...secrets])', 'spellingsOf([])')],
    test: running('of the environment is used by no run'),
  },
  {
    rule: 'server: the tools of an MCP server are listed for people only',
    edits: [inServer('contract/mcp-server-routes.ts', "access: 'session',", "access: 'caller',")],
    test: listing('is not for a program or agent'),
  },
  {
    rule: 'server: the tools of an MCP server come through the guarded fetch',
    edits: [
      inServer('routes/mcp-server-routes.ts', 'const fetch = flowFetch(settings);', 'const { fetch } = globalThis;'),
    ],
    test: listing('reaches no address'),
  },
  {
    rule: 'server: the tools of an MCP server have no secret',
    edits: [inServer('routes/mcp-server-routes.ts', 'secrets = await secretsOf(userId);', '')],
    test: listing('leaves out secrets'),
  },
  {
    rule: 'server: only an administrator with a session allows a command',
    edits: [
      inServer(
        'contract/flow-command-routes.ts',
        "access: 'admin-session',\n    body: z.strictObject({ command: line, argv }),",
        "access: 'admin',\n    body: z.strictObject({ command: line, argv }),",
      ),
    ],
    test: commands('not for a program or agent with an API key'),
  },
  {
    rule: 'server: no other user allows a command',
    edits: [
      inServer(
        'contract/flow-command-routes.ts',
        "access: 'admin-session',\n    body: z.strictObject({ command: line, argv }),",
        "access: 'session',\n    body: z.strictObject({ command: line, argv }),",
      ),
    ],
    test: commands('not for another user'),
  },
  {
    rule: 'server: only an administrator with a session removes a command',
    edits: [
      inServer(
        'contract/flow-command-routes.ts',
        "access: 'admin-session',\n    response: z.strictObject({ id: z.string() }),",
        "access: 'admin',\n    response: z.strictObject({ id: z.string() }),",
      ),
    ],
    test: commands('not for a program or agent with an API key'),
  },
  {
    rule: 'server: a command is allowed as it was confirmed',
    edits: [
      inServer(
        'routes/flow-command-routes.ts',
        'if (!isSameCommand(found, { file, args }))',
        'if (file === undefined)',
      ),
    ],
    test: commands('allows exactly what was confirmed'),
  },
  {
    rule: 'server: a command that flows can change is refused',
    edits: [inServer('routes/flow-command-routes.ts', 'writable: writableDirs(settings)', 'writable: []')],
    test: commands('refuses a program that does not exist'),
  },
  {
    rule: 'server: a command with a path of flows inside of an argument is refused',
    edits: [inServer('flow-parts/allowed-command.ts', 'part.includes(each + sep)', 'part === each')],
    test: commands('refuses a program that does not exist'),
  },
  {
    rule: 'server: requests at once allow no more commands than one after the other',
    edits: [
      inServer(
        'store/flow-commands.ts',
        'await tx.execute(sql`LOCK TABLE ${flowCommand} IN SHARE ROW EXCLUSIVE MODE`);',
        '',
      ),
    ],
    test: commands('allows at most 100 commands'),
  },
  {
    rule: 'server: an allowed command starts for flows of administrators only',
    edits: [
      inServer(
        'flow-runs/run-clients.ts',
        'confirmed: isAdmin ? await listFlowCommands(db) : []',
        'confirmed: await listFlowCommands(db)',
      ),
    ],
    test: commands('starts a command for flows of administrators'),
  },
  {
    rule: 'server: the input of a run in lists has no secrets',
    edits: [
      inServer('flow-runs/input-line.ts', 'previewOf({ [name]: value }, secrets)', 'previewOf({ [name]: value })'),
    ],
    test: { file: `${SRC}flow-runs/input-line.test.ts`, name: 'has no secret of the user' },
  },
  {
    rule: 'server: the input of a queued run in lists has no secrets',
    edits: [inServer('flow-runs/queued-runs.ts', 'await options.secretsOf(userId)', 'new Set()')],
    test: { file: `${SRC}flow-runs/queued-runs.test.ts`, name: 'in plain text' },
  },
  {
    rule: 'server: the input of a queued run is encrypted',
    edits: [
      { file: 'packages/runs/src/run-store.ts', find: 'null : this.sealer.seal(input)', replace: 'null : input' },
    ],
    test: { file: `${SRC}flow-runs/queued-runs.test.ts`, name: 'in plain text' },
  },
  {
    rule: 'server: a live run is found by its user only',
    edits: [
      inServer('flow-runs/live-runs.ts', 'run?.userId === userId ? run : undefined', 'userId === "" ? undefined : run'),
    ],
    test: running('is cancelled when its client goes away'),
  },
  {
    rule: 'server: a stored run is found by its user only',
    edits: [
      inServer(
        'flow-runs/run-history.ts',
        'and(eq(flowRun.id, id), eq(flowRun.userId, userId))',
        'and(eq(flowRun.id, id), userId === "" ? eq(flowRun.userId, userId) : undefined)',
      ),
    ],
    test: { file: `${SRC}flow-runs/run-history.test.ts`, name: 'for its user only' },
  },
  {
    rule: 'server: a queued run is found by its user only',
    edits: [
      {
        file: 'packages/runs/src/history.ts',
        find: 'WHERE id = $1 AND user_id = $2`',
        replace: "WHERE id = $1 AND $2 <> ''`",
      },
    ],
    test: isolation('cannot be had by key: a queued run'),
  },
  {
    rule: 'server: a queued run is taken only by processes with its base directory',
    edits: [
      { file: 'packages/runs/src/engine.ts', find: "(group === '' ? PROTOCOL", replace: "(group !== 'x' ? PROTOCOL" },
    ],
    test: { file: 'tests/runs/runs.test.ts', name: 'of its group only' },
  },
  {
    rule: 'server: a worker with another secret key refuses to start',
    edits: [
      inServer(
        'flow-runs/worker-group.ts',
        '!keyIdsOf(secretKeys).includes(String(stored.keyId))',
        'keyIdsOf(secretKeys).length === 0',
      ),
    ],
    test: { file: `${SRC}start-worker.test.ts`, name: 'refuses settings' },
  },
  {
    rule: 'server: schedules are those of their user',
    edits: [
      {
        file: 'packages/runs/src/triggers/schedules.ts',
        find: 'WHERE user_id = $1 ORDER BY next_at',
        replace: "WHERE $1::text <> '' ORDER BY next_at",
      },
    ],
    test: { file: `${SRC}routes/schedule-routes.test.ts`, name: 'others do not see it' },
  },
  {
    rule: 'server: webhooks are those of their user',
    edits: [
      inServer('webhooks/webhooks.ts', 'and(eq(webhook.userId, userId), eq(webhook.id, id))', 'eq(webhook.id, id)'),
    ],
    test: hooks('of another user cannot be seen'),
  },
  {
    rule: 'server: a request to a webhook needs its secret',
    edits: [
      {
        file: 'packages/runs/src/triggers/webhook.ts',
        find: 'if (!isAuthentic(secret, headers, request.body, now)) return undefined;',
        replace: '',
      },
    ],
    test: hooks('a wrong secret look the same'),
  },
  {
    rule: 'server: a webhook that is off takes nothing',
    edits: [inServer('webhooks/webhooks.ts', 'eq(webhook.isOn, true), ', '')],
    test: hooks('a wrong secret look the same'),
  },
  {
    rule: 'server: a webhook of a disabled user takes nothing',
    edits: [inServer('webhooks/webhooks.ts', ', eq(user.banned, false)', '')],
    test: hooks('while its user is disabled'),
  },
  {
    rule: 'server: the secret of a webhook opens for this webhook only',
    edits: [
      inServer('webhooks/webhooks.ts', 'JSON.stringify([userId, id])', "JSON.stringify(userId === id ? [] : ['w'])"),
    ],
    test: hooks('whose secret cannot be read'),
  },
  {
    rule: 'server: a run gets no header with a secret',
    edits: [
      {
        file: 'packages/runs/src/triggers/webhook.ts',
        find: 'DESCRIPTION.test(entry[0])',
        replace: "DESCRIPTION.test('host')",
      },
    ],
    test: hooks('headers without secrets'),
  },
  {
    rule: 'server: queued runs of a disabled user are cancelled',
    edits: [inServer('flow-runs/queued-runs.ts', 'user !== undefined && !user.disabled', 'user !== undefined')],
    test: { file: `${SRC}flow-runs/queued-runs.test.ts`, name: 'a queued run is cancelled' },
  },
  {
    rule: 'server: a run writes to the files of its user only',
    edits: [inServer('flow-runs/run-files.ts', 'files.open(actor.userId)', "files.open('everyone')")],
    test: running('reads and writes files of its caller only'),
  },
  {
    rule: 'server: queued runs follow the mode of the shared folder',
    edits: [
      inServer(
        'files/shared-mount.ts',
        '  return {\n    mode: () => readSharedMode(baseDir),',
        '  const mode = readSharedMode(baseDir);\n  return {\n    mode: () => mode,',
      ),
    ],
    test: { file: `${SRC}files/shared-mount.test.ts`, name: 'follows what an admin chooses' },
  },
  {
    rule: 'server: the log has no values of an error from another thread',
    edits: [inServer('logged-error.ts', " || 'severity' in error", '')],
    test: { file: `${SRC}flow-runs/run-thread.test.ts`, name: 'of which the log has no values' },
  },
  {
    rule: 'server: a run takes values for the inputs of its flow only',
    edits: [inServer('flow-runs/run-request.ts', 'node === undefined || !open.has(id)', 'node === undefined')],
    test: running('takes values for its inputs only'),
  },
  {
    rule: 'server: bodies of one user are bounded',
    edits: [inServer('routes/add-routes.ts', ', bodies: createRequestBodies(options.proxies)', '')],
    test: { file: `${SRC}routes/body-budget.test.ts`, name: 'bodies of one user that do not end' },
  },
  {
    rule: 'server: the largest of too many bodies is cut',
    edits: [inServer('routes/body-budget.ts', 'other.counted > one.counted', 'other.counted < one.counted')],
    test: { file: `${SRC}routes/body-budget.test.ts`, name: 'cuts the largest body' },
  },
  {
    rule: 'server: a sign-in is short',
    edits: [inServer('contract/account-routes.ts', '    maxBodyBytes: 16 * 1024,\n', '')],
    test: { file: `${SRC}routes/body-budget.test.ts`, name: 'refuses a sign-in of more than 16 KB' },
  },
  {
    rule: 'server: slow MCP bodies of one caller leave half of the memory to others',
    edits: [{ file: 'packages/mcp/src/read-body.ts', find: 'const SHARE = 1 / 2;', replace: 'const SHARE = 1;' }],
    test: { file: 'packages/mcp/src/read-body.test.ts', name: 'keeps half of the memory' },
  },
  {
    rule: 'sign-in: refused attempts at one account leave the attempts of others at the address',
    edits: [inServer('accounts/sign-in-limits.ts', '.catch(uncount(address))', '')],
    test: {
      file: `${SRC}accounts/sign-in-limits.test.ts`,
      name: 'that are refused for their account leave the attempts of others at the address',
    },
  },
];
