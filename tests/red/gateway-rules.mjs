// Mutations of the gateway's entry points: each removes one rule and names the test that must then fail.
const HUB = 'packages/gateway/src/hub/';
const DAEMON = 'packages/gateway/src/daemon/';

const inHub = (file, find, replace) => ({ file: HUB + file, find, replace });
const inDaemon = (file, find, replace) => ({ file: DAEMON + file, find, replace });
const protocol = (name) => ({ file: `${HUB}protocol.test.ts`, name });
const hub = (name) => ({ file: `${HUB}hub.test.ts`, name });
const remote = (name) => ({ file: `${HUB}remote/remote-tools.test.ts`, name });
const listener = (name) => ({ file: `${DAEMON}local-listener.test.ts`, name });
const daemon = (name) => ({ file: `${DAEMON}daemon.test.ts`, name });
const calls = (name) => ({ file: `${DAEMON}serve-calls.test.ts`, name });
const settings = (name) => ({ file: `${DAEMON}settings.test.ts`, name });

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const GATEWAY_RULES = [
  {
    rule: 'hub: a pairing token works once',
    edits: [
      inHub('init-endpoint.ts', '  await takeToken(parts, key.keyHash);\n  const sessionKey', '  const sessionKey'),
    ],
    test: protocol('of many who use one token at once, lets one in'),
  },
  {
    rule: 'hub: a disconnect invalidates a token whose init is on the way',
    edits: [
      inHub(
        'init-endpoint.ts',
        'key = await findToken(parts, key.keyHash);',
        'await takeToken(parts, (key = await findToken(parts, key.keyHash)).keyHash);',
      ),
      inHub('init-endpoint.ts', '  await takeToken(parts, key.keyHash);\n  const sessionKey', '  const sessionKey'),
    ],
    test: hub('that a user was cut off whose init is on the way'),
  },
  {
    rule: 'hub: a pairing token expires',
    edits: [inHub('init-endpoint.ts', 'if (taken.expired) throw REFUSALS.expiredToken();', '')],
    test: protocol("answers 'an expired token' as documented"),
  },
  {
    rule: 'hub: an unused session key expires',
    edits: [inHub('keys.ts', 'if (now() - session.lastSeenAt.getTime() > idleMs) throw REFUSALS.expiredKey();', '')],
    test: protocol("answers 'a session key not used for too long' as documented"),
  },
  {
    rule: 'hub: the key is checked again after the body arrived',
    edits: [inHub('init-endpoint.ts', 'await parts.keys.sessionUser(key.keyHash);\n', '')],
    test: protocol('lets no key come back that was revoked while its init was on the way'),
  },
  {
    rule: 'hub: a superseded key is deleted',
    edits: [inHub('machines.ts', 'this.#byKey.delete(connection.machine.keyHash);', '')],
    test: hub('the newest wins; the older gets the reason'),
  },
  {
    rule: 'hub: a key in the URL opens a stream and nothing else',
    edits: [
      inHub(
        'endpoint.ts',
        "const key = await parts.keys.identify(headerKey(req));\n  if (key.kind === 'pairing') throw REFUSALS.invalidKey();\n  const",
        'const key = await parts.keys.identify(headerKey(req) ?? queryKey(req));\n  const',
      ),
    ],
    test: protocol('takes a session key in the address for events, and nowhere else'),
  },
  {
    rule: 'hub: page endpoints require a caller',
    edits: [inHub('answer-request.ts', 'if (userId === undefined) throw REFUSALS.notSignedIn();', '')],
    test: protocol('asks who it is on the page’s endpoints'),
  },
  {
    rule: 'hub: a body must have a JSON content type',
    edits: [inHub('json-http.ts', "throw new GatewayError('bad_content_type'", "new GatewayError('bad_content_type'")],
    test: protocol('reads a body in full before it uses a token up'),
  },
  {
    rule: 'hub: bodies have a size limit',
    edits: [
      inHub(
        'json-http.ts',
        'if (bytes > FRAME_LIMITS.maxBodyBytes) return tooLarge();',
        'if (bytes < 0) return tooLarge();',
      ),
    ],
    test: protocol('refuses a body above 16 MiB'),
  },
  {
    rule: 'hub: only the session that got the request may answer it',
    edits: [
      inHub(
        'machine-endpoints.ts',
        'const connection = await connectionOf(parts, req);\n  // Check before reading',
        "const connection = (await connectionOf(parts, req)) && parts.machines.ofUser('ann');\n  // Check before reading",
      ),
    ],
    test: protocol('lets one user’s key do nothing to another’s machine'),
  },
  {
    rule: 'hub: a call accepts one answer',
    edits: [inHub('pending-calls.ts', 'this.#entries.delete(requestId);', '')],
    test: hub('is answered once'),
  },
  {
    rule: 'hub: event ids of other sessions resume nothing',
    edits: [{ file: 'packages/event-log/src/event-log.ts', find: 'id.slice(0, dot) !== this.#name || ', replace: '' }],
    test: { file: 'packages/event-log/src/event-log.test.ts', name: 'returns gone for an id that was dropped' },
  },
  {
    rule: 'hub: calls in flight are capped',
    edits: [inHub('pending-calls.ts', 'if (this.#entries.size >= maxInFlight + maxQueued)', 'if (maxQueued < 0)')],
    test: hub('keeps to its cap in flight'),
  },
  {
    rule: 'hub: uploads of one machine are rate-limited',
    edits: [inHub('upload-budget.ts', 'if (least.bytes < LEAST_BYTES) throw tooOften(least.bytes);', '')],
    test: { file: `${HUB}upload-budget.test.ts`, name: 'lets the largest bodies through one after another' },
  },
  {
    rule: 'hub: the switch ends calls under way and in the queue',
    edits: [inHub('page-endpoints.ts', '  if (!next) parts.machines.ofUser(userId)?.endCalls();\n', '')],
    test: hub('cancels calls under way and drops those in the queue, here'),
  },
  {
    rule: 'hub: the switch of another process ends calls under way and in the queue',
    edits: [
      inHub(
        'refresh.ts',
        'if (!(await switches.reload(userId))) machines.ofUser(userId)?.endCalls();',
        'await switches.reload(userId);',
      ),
    ],
    test: hub('cancels calls under way and drops those in the queue, in another process'),
  },
  {
    rule: 'hub: a confirmed call checks the switch again',
    edits: [inHub('remote/remote-tools.ts', 'const now = await parts.current(target);', 'const now = target;')],
    test: remote('never get a confirmation from a model'),
  },
  {
    rule: 'hub: the switch removes the tools',
    edits: [
      inHub(
        'offered-tools.ts',
        'if (!connection?.isConnected || !switches.isOn(userId)) return [];',
        'if (!connection) return [];',
      ),
    ],
    test: hub('takes the tools away while the machine stays connected'),
  },
  {
    rule: 'hub: a model cannot confirm',
    edits: [inHub('remote/remote-tools.ts', 'const { _confirmation: _, ...input } = given;', 'const input = given;')],
    test: remote('never get a confirmation from a model'),
  },
  {
    rule: 'hub: an uploaded tree cannot contain ..',
    edits: [inHub('tree/pack-tree.ts', " || parts.includes('..')", '')],
    test: { file: `${HUB}tree/pack-tree.test.ts`, name: 'leaves out what climbs' },
  },
  {
    rule: 'daemon: the Host header must name this listener',
    edits: [
      inDaemon('local-listener.ts', 'isOwnHost(req.headers.host, port) ? originOf(req)', 'port > 0 ? originOf(req)'),
    ],
    test: listener('nor one that reaches the listener under another name'),
  },
  {
    rule: 'daemon: a program of another user is refused',
    edits: [inDaemon('local-listener.ts', "if (owner === 'own') return;", 'if (owner) return;')],
    test: listener('cannot connect the daemon to its own server'),
  },
  {
    rule: 'daemon: a closed socket has no owner',
    edits: [inDaemon('peer-owner.ts', ' ${ESTABLISHED} `', ' `')],
    test: { file: `${DAEMON}peer-owner.test.ts`, name: 'finds no owner of a socket that is closing' },
  },
  {
    rule: 'daemon: an IPv6 socket has an owner too',
    edits: [inDaemon('peer-owner.ts', 'of [false, true])', 'of [false])')],
    test: { file: `${DAEMON}peer-owner.test.ts`, name: 'finds the owner of the other end' },
  },
  {
    rule: 'daemon: an Origin is required',
    edits: [
      inDaemon(
        'local-listener.ts',
        'return origin !== undefined && canonicalOrigin(origin) === origin ? origin : undefined;',
        "return origin === undefined ? 'http://localhost' : canonicalOrigin(origin) === origin ? origin : undefined;",
      ),
    ],
    test: listener('no origin'),
  },
  {
    rule: 'daemon: an Origin is compared in its canonical spelling',
    edits: [
      inDaemon(
        'local-listener.ts',
        'return origin !== undefined && canonicalOrigin(origin) === origin ? origin : undefined;',
        'return origin === undefined ? undefined : canonicalOrigin(origin);',
      ),
    ],
    test: listener('an origin in another spelling'),
  },
  {
    rule: 'daemon: an unknown Origin is refused',
    edits: [inDaemon('page-origins.ts', "? 'allowed' : 'unknown';", "? 'allowed' : 'allowed';")],
    test: listener('an unknown origin'),
  },
  {
    rule: 'daemon: loopback names are compared as a whole',
    edits: [
      inDaemon('choose-fetch.ts', "return hostname === 'localhost' ||", "return hostname.startsWith('localhost') ||"),
    ],
    test: listener('a name that begins as this machine'),
  },
  {
    rule: 'daemon: a remembered deny wins',
    edits: [inDaemon('page-origins.ts', "if (remembered === 'deny' || denied.has(origin))", 'if (denied.has(origin))')],
    test: listener('nor one whose deny is remembered'),
  },
  {
    rule: 'daemon: unreadable settings allow nothing',
    edits: [
      inDaemon(
        'settings.ts',
        'throw new SettingsError(`${file} is not JSON; correct it, or delete it to forget all decisions and sessions`);',
        'return { origins: [], sessions: [] };',
      ),
    ],
    test: listener('even when the settings break while it listens'),
  },
  {
    rule: 'daemon: read permission does not grant write permission',
    edits: [
      inDaemon(
        'settings.ts',
        "entry.decision === 'deny' || entry.mayWrite || !mayWrite",
        'entry.decision !== undefined',
      ),
    ],
    test: settings('does not take an allow to read for one to write'),
  },
  {
    rule: 'daemon: settings are not read through a symlink',
    edits: [inDaemon('settings.ts', '(constants.O_NOFOLLOW ?? 0)', '0')],
    test: settings('is not read through a link'),
  },
  {
    rule: 'daemon: a page can connect its own server only',
    edits: [
      inDaemon('connect-request.ts', 'if (new URL(server).origin !== origin) return', "if (origin === '') return"),
    ],
    test: listener('have this daemon connect to another server than its own'),
  },
  {
    rule: 'daemon: a body must be JSON, which forces a CORS preflight',
    edits: [inDaemon('connect-request.ts', '/^application\\/json\\s*(;|$)/i', '/(?:)/i')],
    test: listener('send what a browser lets it send without asking first'),
  },
  {
    rule: 'daemon: a declared body length is limited',
    edits: [
      inDaemon(
        'connect-request.ts',
        "if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;",
        '',
      ),
      inDaemon('connect-request.ts', 'if (size > MAX_BODY_BYTES) return undefined;', ''),
    ],
    test: listener('send more than 64 KB, announced or not'),
  },
  {
    rule: 'daemon: an undeclared body length is limited',
    edits: [inDaemon('connect-request.ts', 'if (size > MAX_BODY_BYTES) return undefined;', '')],
    test: listener('send more than 64 KB, announced or not'),
  },
  {
    rule: 'daemon: one question at a time',
    edits: [inDaemon('confirm-page.ts', 'if (isOpen || closing.signal.aborted) return false;', '')],
    test: listener('is asked about once in the terminal'),
  },
  {
    rule: 'daemon: without a terminal, a question is answered with no',
    edits: [
      inDaemon(
        'confirm-page.ts',
        "return turnAway(origin, 'there is no terminal to ask on; pass --allow-origin with it, or --auto-confirm');",
        "return settle(origin, 'allow_once');",
      ),
    ],
    test: listener('is turned away with a sentence where there is no terminal'),
  },
  {
    rule: 'daemon: an unknown page gets a constant answer and no CORS headers',
    edits: [
      inDaemon(
        'local-listener.ts',
        '    answer(res, FORBIDDEN);\n    if (wanted)',
        "    res.setHeader('access-control-allow-origin', origin);\n    answer(res, FORBIDDEN);\n    if (wanted)",
      ),
    ],
    test: listener('is asked about once in the terminal'),
  },
  {
    rule: 'daemon: the static key is not sent to a server named by a page',
    edits: [
      inDaemon(
        'daemon.ts',
        "this.#connect(server, { kind: 'token', token, kept }, true, false)",
        'this.#connect(server, credentialFor(server, token ?? kept, this.#options), true, false)',
      ),
    ],
    test: listener('have the operator’s static key sent to its server'),
  },
  {
    rule: 'daemon: the key does not follow a redirect',
    edits: [
      inDaemon(
        'direct-fetch.ts',
        'resolve(toAnswer(res));',
        'const to = res.headers.location;\n      if (to) exchange({ request, agent }, new URL(to), init).then(resolve, reject);\n      else resolve(toAnswer(res));',
      ),
    ],
    test: daemon('does not follow a redirect with its key'),
  },
  {
    rule: 'daemon: arguments of calls without a response have a bounded size',
    edits: [inDaemon('serve-calls.ts', ' || (this.#heldChars > maxHeldChars && this.#heldChars > chars)', '')],
    test: calls('are refused while the arguments of the others are too long together, and one always fits'),
  },
  {
    rule: 'daemon: a refused call keeps no arguments',
    edits: [
      inDaemon(
        'serve-calls.ts',
        'async #refuse(entry: Served): Promise<void> {\n    this.#dropArguments(entry);',
        'async #refuse(entry: Served): Promise<void> {',
      ),
    ],
    test: calls('that are refused keep no arguments and are bounded, also when the server does not take the refusals'),
  },
  {
    rule: 'daemon: refusals under way are bounded',
    edits: [inDaemon('serve-calls.ts', ' || this.pending >= (this.#options.maxUnanswered ?? MAX_UNANSWERED)', '')],
    test: calls('that are refused keep no arguments and are bounded, also when the server does not take the refusals'),
  },
];
