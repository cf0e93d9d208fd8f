// A table: each rule of the gateway's hub with the patch that takes it out and the test that must then fail.
const SRC = 'packages/gateway/src/hub/';

const inHub = (file, find, replace) => ({ file: SRC + file, find, replace });
const protocol = (name) => ({ file: `${SRC}protocol.test.ts`, name });
const hub = (name) => ({ file: `${SRC}hub.test.ts`, name });
const remote = (name) => ({ file: `${SRC}remote/remote-tools.test.ts`, name });

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const HUB_RULES = [
  {
    rule: 'hub review: a schema without end is left out',
    edits: [inHub('remote/announced-tools.ts', 'if (depth > maxLevels) return false;', '')],
    test: { file: `${SRC}remote/announced-tools.test.ts`, name: 'is left out when its schema is nested so deep' },
  },
  {
    rule: 'hub review: who is cut off leaves no token behind',
    edits: [inHub('hub.ts', 'await perUser.run(userId, () => pairings.drop(userId));', '')],
    test: hub('a token that was not used yet is worth nothing'),
  },
  {
    rule: 'hub: a pairing token is used up',
    edits: [inHub('init-endpoint.ts', 'if (!key.isTaken) await takeToken(parts, key.keyHash);', '')],
    test: protocol('of many who use one token at once, lets one in'),
  },
  {
    rule: 'hub: a pairing token expires',
    edits: [inHub('init-endpoint.ts', 'if (taken.expired) throw REFUSALS.expiredToken();', '')],
    test: protocol("answers 'an expired token' as documented"),
  },
  {
    rule: 'hub: a session key expires unused',
    edits: [inHub('keys.ts', 'if (now() - session.lastSeenAt.getTime() > idleMs) throw REFUSALS.expiredKey();', '')],
    test: protocol("answers 'a session key not used for too long' as documented"),
  },
  {
    rule: 'hub: a key is looked at again after the body came in',
    edits: [inHub('init-endpoint.ts', 'await parts.keys.sessionUser(key.keyHash);\n', '')],
    test: protocol('lets no key come back that was revoked while its init was on the way'),
  },
  {
    rule: 'hub: a superseded key is forgotten',
    edits: [inHub('machines.ts', 'this.#byKey.delete(connection.machine.keyHash);', '')],
    test: hub('the newest wins; the older is told why'),
  },
  {
    rule: 'hub: keys in addresses open streams only',
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
    rule: 'hub: the page’s endpoints ask who it is',
    edits: [inHub('answer-request.ts', 'if (userId === undefined) throw REFUSALS.notSignedIn();', '')],
    test: protocol('asks who it is on the page’s endpoints'),
  },
  {
    rule: 'hub: bodies are JSON by their type',
    edits: [inHub('json-http.ts', "throw new GatewayError('bad_content_type'", "new GatewayError('bad_content_type'")],
    test: protocol('reads a body in full before it uses a token up'),
  },
  {
    rule: 'hub: bodies have a size',
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
    rule: 'hub: answers come from the session that was asked',
    edits: [
      inHub(
        'machine-endpoints.ts',
        'const connection = await connectionOf(parts, req);\n  // Before the body',
        "const connection = (await connectionOf(parts, req)) && parts.machines.ofUser('ann');\n  // Before the body",
      ),
    ],
    test: protocol('lets one user’s key do nothing to another’s machine'),
  },
  {
    rule: 'hub: a call is answered once',
    edits: [inHub('pending-calls.ts', 'this.#entries.delete(requestId);', '')],
    test: hub('is answered once'),
  },
  {
    rule: 'hub: a late close touches nothing',
    edits: [inHub('connection.ts', 'if (stream !== this.#stream) return false;', '')],
    test: hub('a late close of the older stream touches nothing'),
  },
  {
    rule: 'hub: only reads are asked again',
    edits: [
      inHub(
        'frames-again.ts',
        'one.call.isRepeatable ? dedupes || neverSaw : dedupes && neverSaw',
        'dedupes || neverSaw',
      ),
    ],
    test: hub('never asks twice for what is not read-only'),
  },
  {
    rule: 'hub: only clients that know an id again, or never saw it, are asked again',
    edits: [
      inHub(
        'frames-again.ts',
        'one.call.isRepeatable ? dedupes || neverSaw : ',
        'one.call.isRepeatable ? missedIds.size >= 0 : ',
      ),
    ],
    test: hub('asks Croft’s daemon again, which knows an id it has served, and never a client'),
  },
  {
    rule: 'hub: ids of other sessions resume nothing',
    edits: [{ file: 'packages/event-log/src/event-log.ts', find: 'id.slice(0, dot) !== this.#name || ', replace: '' }],
    test: { file: 'packages/event-log/src/event-log.test.ts', name: 'says gone for an id that has left the ring' },
  },
  {
    rule: 'hub: calls in flight are capped',
    edits: [inHub('pending-calls.ts', 'if (this.#entries.size >= maxInFlight + maxQueued)', 'if (maxQueued < 0)')],
    test: hub('keeps to its cap in flight'),
  },
  {
    rule: 'hub: a reader that does not read is ended',
    edits: [
      inHub('event-stream.ts', 'if (!this.#isOpen || this.#res.writableLength > MAX_WAITING_BYTES) return false;', ''),
    ],
    test: hub('of a reader that does not read is ended'),
  },
  {
    rule: 'hub: uploads of one machine are rationed',
    edits: [inHub('upload-budget.ts', 'if (least.bytes < LEAST_BYTES) throw tooOften(least.bytes);', '')],
    test: { file: `${SRC}upload-budget.test.ts`, name: 'lets the largest bodies through one after another' },
  },
  {
    rule: 'hub: uploads that come in together are rationed',
    edits: [
      inHub(
        'upload-budget.ts',
        'return left.bytes < -FRAME_LIMITS.maxBodyBytes ? tooOften(left.bytes) : undefined;',
        'return undefined;',
      ),
    ],
    test: { file: `${SRC}upload-budget.test.ts`, name: 'many bodies that began together do not all end' },
  },
  {
    rule: 'hub: a body holds a bounded number of values',
    edits: [inHub('json-http.ts', 'if (values(chunk) > MAX_VALUES) return tooManyValues();', '')],
    test: { file: `${SRC}upload-budget.test.ts`, name: 'cannot make the parser work for seconds' },
  },
  {
    rule: 'hub: a large tree is packed in turns',
    edits: [inHub('in-turns.ts', 'if (performance.now() - began < TURN_MS) continue;', 'if (TURN_MS > 0) continue;')],
    test: { file: `${SRC}receive-tree.test.ts`, name: 'a large tree is packed in turns' },
  },
  {
    rule: 'hub: a machine without a word is not connected',
    edits: [inHub('silent-machines.ts', 'if (!isOver && isLate) cut(connection, askedAt);', '')],
    test: { file: `${SRC}silent-machines.test.ts`, name: 'is asked for a word when somebody looks' },
  },
  {
    rule: 'hub: a client that answers no call is not connected',
    edits: [inHub('silent-machines.ts', 'connection.unanswered >= MAX_UNANSWERED', 'connection.unanswered < 0')],
    test: { file: `${SRC}silent-machines.test.ts`, name: 'its stream is cut after two calls in a row' },
  },
  {
    rule: 'hub: the switch takes the tools away',
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
    rule: 'hub: a switch that is not known is off',
    edits: [
      inHub('switches.ts', 'return this.#known.get(userId) === true;', 'return this.#known.get(userId) !== false;'),
    ],
    test: hub('offers nothing of a machine that was switched off'),
  },
  {
    rule: 'hub: the switch is asked for before a machine is there',
    edits: [inHub('init-endpoint.ts', 'await parts.switches.load(userId);', '')],
    test: hub('offers nothing of a machine that was switched off'),
  },
  {
    rule: 'hub: kept tools do not reach into a newer directory',
    edits: [inHub('offered-tools.ts', 'return isSame ? present : undefined;', 'return isSame ? present : present;')],
    test: hub('tools kept from the older directory refuse'),
  },
  {
    rule: 'hub: results are quoted so that nothing inside ends the quotation',
    edits: [inHub('remote/untrusted.ts', ".replace(/<(\\/?)(?=untrusted_data)/gi, '&lt;$1')", '')],
    test: hub('comes back quoted as untrusted'),
  },
  {
    rule: 'hub: a model gives no confirmation',
    edits: [inHub('remote/remote-tools.ts', 'const { _confirmation: _, ...input } = given;', 'const input = given;')],
    test: remote('never get a confirmation from a model'),
  },
  {
    rule: 'hub: errors hold no host path',
    edits: [
      inHub(
        'remote/read-answers.ts',
        'hideHostPaths(error, call.rootPath, call.input)',
        'hideHostPaths(error, "", error)',
      ),
    ],
    test: hub('gives errors without the machine’s paths'),
  },
  {
    rule: 'hub: results are checked',
    edits: [inHub('remote/read-answers.ts', 'content: z.string(),', 'content: z.any(),')],
    test: hub('refuses a result that is none'),
  },
  {
    rule: 'hub: descriptions say whose words they are',
    edits: [inHub('remote/remote-tools.ts', 'quoteDescription(description, connection.machine.host)', 'description')],
    test: remote('have descriptions that say whose words they are'),
  },
  {
    rule: 'hub: words of a machine hide nothing',
    edits: [inHub('remote/machine-words.ts', ".replace(UNSEEN, '')", '')],
    test: remote('have descriptions that say whose words they are'),
  },
  {
    rule: 'hub: words of a machine are one line',
    edits: [inHub('remote/machine-words.ts', ".replace(/\\s+/g, ' ')", '')],
    test: remote('have descriptions that say whose words they are'),
  },
  {
    rule: 'hub: words in a schema are cleaned too',
    edits: [inHub('remote/announced-tools.ts', '...cleanSchema(schema)', '...schema')],
    test: remote('have descriptions that say whose words they are'),
  },
  {
    rule: 'hub: a name in a schema hides nothing',
    edits: [inHub('remote/announced-tools.ts', ' || !(Array.isArray(one) || isPlainName(key))', '')],
    test: { file: `${SRC}remote/announced-tools.test.ts`, name: 'is left out when a name in its schema hides' },
  },
  {
    rule: 'hub: a property that is called as a keyword is cleaned as any other',
    edits: [
      inHub(
        'remote/machine-words.ts',
        'if (!NAMING_KEYS.has(key)) return cleanSchema(value);',
        'return cleanSchema(value);',
      ),
    ],
    test: { file: `${SRC}remote/announced-tools.test.ts`, name: 'has clean words in its schema' },
  },
  {
    rule: 'hub: words of keywords nobody knows are cleaned',
    edits: [inHub('remote/machine-words.ts', 'TERM_KEYS.has(key) ? value', "key !== 'description' ? value")],
    test: { file: `${SRC}remote/announced-tools.test.ts`, name: 'has clean words in its schema' },
  },
  {
    rule: 'hub: where a word is all there is to say, no large body is read',
    edits: [inHub('json-http.ts', 'return leftBytes < 0 ?', 'return Number.isNaN(leftBytes) ?')],
    test: { file: `${SRC}upload-budget.test.ts`, name: 'sends no large body where a word is all there is to say' },
  },
  {
    rule: 'hub: announced names are plain',
    edits: [inHub('remote/announced-tools.ts', '!NAME.test(parsed.data.name) || ', '')],
    test: remote('are bounded'),
  },
  {
    rule: 'hub: an uploaded tree does not climb',
    edits: [inHub('tree/pack-tree.ts', " || parts.includes('..')", '')],
    test: { file: `${SRC}tree/pack-tree.test.ts`, name: 'leaves out what climbs' },
  },
];
