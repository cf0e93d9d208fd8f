// A table: each rule of the gateway's daemon with the patch that takes it out and the test that must then fail.
const SRC = 'packages/gateway/src/daemon/';

const inDaemon = (file, find, replace) => ({ file: SRC + file, find, replace });
const listener = (name) => ({ file: `${SRC}local-listener.test.ts`, name });
const daemon = (name) => ({ file: `${SRC}daemon.test.ts`, name });
const settings = (name) => ({ file: `${SRC}settings.test.ts`, name });
const calls = (name) => ({ file: `${SRC}serve-calls.test.ts`, name });
const scan = (name) => ({ file: `${SRC}scan-tree.test.ts`, name });
const lines = (name) => ({ file: 'apps/cli/src/commands/connect-lines.test.ts', name });

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const DAEMON_RULES = [
  {
    rule: 'daemon review: what a server says stays in one line',
    edits: [inDaemon('gateway-client.ts', ".replace(/\\s+/g, ' ')", '')],
    test: daemon('says in one line what a server says'),
  },
  {
    rule: 'daemon: the Host header is this listener',
    edits: [
      inDaemon('local-listener.ts', 'isOwnHost(req.headers.host, port) ? originOf(req)', 'port > 0 ? originOf(req)'),
    ],
    test: listener('nor one that reaches the listener under another name'),
  },
  {
    rule: 'daemon: an origin is required',
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
    rule: 'daemon: an origin is taken in its one spelling',
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
    rule: 'daemon: an unknown origin is turned away',
    edits: [inDaemon('page-origins.ts', "? 'allowed' : 'unknown';", "? 'allowed' : 'allowed';")],
    test: listener('an origin nobody knows'),
  },
  {
    rule: 'daemon: loopback is a whole host name',
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
    rule: 'daemon: a deny wins over an allow in the file',
    edits: [inDaemon('settings.ts', "return said.includes('deny') ? 'deny' : said[0];", 'return said[0];')],
    test: settings('lets a deny win where a hand wrote both'),
  },
  {
    rule: 'daemon: settings that cannot be read allow nothing',
    edits: [
      inDaemon(
        'settings.ts',
        'throw new SettingsError(`${file} is not JSON; mend it, or delete it to forget all decisions and sessions`);',
        'return { origins: [], sessions: [] };',
      ),
    ],
    test: listener('even when the settings break while it listens'),
  },
  {
    rule: 'daemon: decisions hold for one directory',
    edits: [
      inDaemon(
        'settings.ts',
        'entry.origin === origin && entry.directory === directory)\n',
        'entry.origin === origin)\n',
      ),
    ],
    test: settings('remembers per origin and directory'),
  },
  {
    rule: 'daemon: a remembered allow to read is none to write',
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
    rule: 'daemon: settings are for their owner only',
    edits: [inDaemon('settings.ts', 'constants.O_EXCL, 0o600)', 'constants.O_EXCL, 0o644)')],
    test: settings('is made when there is something to keep'),
  },
  {
    rule: 'daemon: settings are not read through a link',
    edits: [inDaemon('settings.ts', '(constants.O_NOFOLLOW ?? 0)', '0')],
    test: settings('is not read through a link'),
  },
  {
    rule: 'daemon: a page brings its own server only',
    edits: [
      inDaemon('local-listener.ts', 'if (new URL(server).origin !== origin) return', "if (origin === '') return"),
    ],
    test: listener('have this daemon connect to another server than its own'),
  },
  {
    rule: 'daemon: a body is JSON, so that a browser asks first',
    edits: [inDaemon('local-listener.ts', '/^application\\/json\\s*(;|$)/i', '/(?:)/i')],
    test: listener('send what a browser lets it send without asking first'),
  },
  {
    rule: 'daemon: a body is bounded where it says its length',
    edits: [
      inDaemon(
        'local-listener.ts',
        "if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;",
        '',
      ),
      inDaemon('local-listener.ts', 'if (size > MAX_BODY_BYTES) return undefined;', ''),
    ],
    test: listener('send more than 64 KB, announced or not'),
  },
  {
    rule: 'daemon: a body is bounded where it does not say its length',
    edits: [inDaemon('local-listener.ts', 'if (size > MAX_BODY_BYTES) return undefined;', '')],
    test: listener('send more than 64 KB, announced or not'),
  },
  {
    rule: 'daemon: never two connections at once',
    edits: [
      inDaemon('daemon.ts', 'if (this.#link)\n', 'if (this.#link && this.#isStopping)\n'),
      inDaemon('daemon.ts', 'if (this.#isConnecting || this.#isStopping)', 'if (this.#isStopping)'),
    ],
    test: listener('make two connections at once'),
  },
  {
    rule: 'daemon: one question at a time',
    edits: [inDaemon('confirm-page.ts', 'if (isOpen || closing.signal.aborted) return false;', '')],
    test: listener('is asked about once in the terminal'),
  },
  {
    rule: 'daemon: other pages wait while a question is open',
    edits: [inDaemon('daemon.ts', 'if (this.#confirmation.isOpen)\n', 'if (this.#isStopping)\n')],
    test: listener('keeps others waiting: one question at a time'),
  },
  {
    rule: 'daemon: nobody is asked without end',
    edits: [inDaemon('confirm-page.ts', 'if (denials >= MAX_DENIALS)', 'if (denials < 0)')],
    test: listener('is not asked about any more after five others'),
  },
  {
    rule: 'daemon: without a terminal the answer is no',
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
    rule: 'daemon: an unknown page gets no CORS headers and a constant answer',
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
    rule: 'daemon: the static key goes to no server a page names',
    edits: [
      inDaemon(
        'daemon.ts',
        "this.#connect(server, { kind: 'token', token, kept }, true, false)",
        'this.#connect(server, this.#credentialFor(server, token ?? kept), true, false)',
      ),
    ],
    test: listener('have the operator’s static key sent to its server'),
  },
  {
    rule: 'daemon: a token is a header value',
    edits: [inDaemon('local-listener.ts', 'if (server === undefined || !isKey(token))', 'if (server === undefined)')],
    test: listener('is told what is wrong with what it sent'),
  },
  {
    rule: 'daemon: no redirect gets the key',
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
    rule: 'daemon: a request id stands in an address and leads nowhere else',
    edits: [
      inDaemon('call-request.ts', 'if (!REQUEST_ID.test(requestId)) return undefined;', ''),
      inDaemon('gateway-client.ts', 'encodeURIComponent(requestId)', 'requestId'),
    ],
    test: daemon('with arguments of the wrong shape'),
  },
  {
    rule: 'daemon: a call that comes twice is run once',
    edits: [inDaemon('serve-calls.ts', 'this.#served.set(request.requestId, entry);', '')],
    test: daemon('to a call that is delivered twice is sent again'),
  },
  {
    rule: 'daemon: a call whose answer was dropped is still not run again',
    edits: [inDaemon('serve-calls.ts', 'entry.answer = undefined;', 'this.#served.delete(entry.request.requestId);')],
    test: calls('whose answer is no longer kept'),
  },
  {
    rule: 'daemon: a superseded daemon does not come back',
    edits: [
      inDaemon(
        'link.ts',
        "if (reason === 'superseded')\n",
        "if (reason === 'superseded') return;\n    if (reason === '')\n",
      ),
    ],
    test: daemon('is heard also where the stream ends with it'),
  },
  {
    rule: 'daemon: stopping forgets the key',
    edits: [inDaemon('link.ts', 'this.#options.onSession(undefined);\n    try {', 'try {')],
    test: daemon('tells the server and forgets the key'),
  },
  {
    rule: 'daemon: a session is of one server and one directory',
    edits: [
      inDaemon(
        'settings.ts',
        'session.server === server && session.directory === directory;',
        'session.server === server;',
      ),
    ],
    test: daemon('does not use the session of another directory or server'),
  },
  {
    rule: 'daemon: a tree the server wants later is not sent before',
    edits: [inDaemon('keep-tree-fresh.ts', 'askedMs = againInMs ?? 0;', 'askedMs = 0;')],
    test: { file: `${SRC}keep-tree-fresh.test.ts`, name: 'when the server asked for it later, and not before' },
  },
  {
    rule: 'daemon: a scan goes through the workspace and follows no link',
    edits: [
      inDaemon(
        'scan-tree.ts',
        "if (entry.type === 'directory') {",
        "if (entry.type === 'directory' || entry.type === 'link') {",
      ),
    ],
    test: scan('shows links as files without a size'),
  },
  {
    rule: 'daemon: names reach the terminal escaped',
    edits: [
      {
        file: 'apps/cli/src/commands/connect-lines.ts',
        find: '${printableName(event.tool)}  ${printableName(event.about)}  ${took}',
        replace: '${printableName(event.tool)}  ${event.about}  ${took}',
      },
    ],
    test: lines('holds nothing a terminal would act on'),
  },
  {
    rule: 'daemon: messages of servers reach the terminal escaped',
    edits: [
      {
        file: 'apps/cli/src/commands/connect-lines.ts',
        find: ': red(printable(event.message));',
        replace: ': red(event.message);',
      },
    ],
    test: lines('holds nothing a terminal would act on'),
  },
  {
    rule: 'daemon: what is no answer is a no',
    edits: [
      {
        file: 'apps/cli/src/commands/connect-question.ts',
        find: "    default:\n      return 'deny_once';",
        replace: "    default:\n      return 'allow_once';",
      },
    ],
    test: lines('takes what is no answer for a no'),
  },
];
