// A table: each rule of the server with the patch that takes it out and the test that must then fail.
const SRC = 'apps/server/src/';

const inServer = (file, find, replace) => ({ file: SRC + file, find, replace });
const files = (name) => ({ file: `${SRC}routes/files.test.ts`, name });
const accounts = (name) => ({ file: `${SRC}accounts/accounts.test.ts`, name });
const isolation = (name) => ({ file: `${SRC}isolation.test.ts`, name });
const starting = (name) => ({ file: `${SRC}start-server.test.ts`, name });
const tries = (name) => ({ file: `${SRC}accounts/sign-in-tries.test.ts`, name });
const machines = (name) => ({ file: `${SRC}machine-tools.test.ts`, name });
const limits = (name) => ({ file: `${SRC}accounts/sign-in-limits.test.ts`, name });
const picking = (name) => ({ file: `${SRC}local-access.test.ts`, name });
const guarding = (name) => ({ file: `${SRC}guard-inside.test.ts`, name });

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const SERVER_RULES = [
  {
    rule: 'server: a cookie counts only on requests of our own pages',
    edits: [inServer('identify.ts', '  refuseForeignPage(request, options.originRule);\n', '')],
    test: files('another site'),
  },
  {
    rule: 'server: a cookie counts on no request that a form can send',
    edits: [inServer('identify.ts', '(isReading || noFormSends || isPlain)', 'true')],
    test: files('another site'),
  },
  {
    rule: 'server: a changing request says where it comes from',
    edits: [
      inServer('edge/own-origin.ts', "return headers.origin !== undefined || site === 'same-origin';", 'return true;'),
    ],
    test: files('another site'),
  },
  {
    rule: 'server: only names of ours are answered to',
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
    rule: 'server: a key is no session',
    edits: [inServer('routes/endpoint.ts', "if (isForPeople(access) && via === 'key')", 'if (false)')],
    test: accounts('make no keys'),
  },
  {
    rule: 'server: what is for admins is for admins',
    edits: [inServer('routes/endpoint.ts', "if (access.startsWith('admin') && role !== 'admin')", 'if (false)')],
    test: accounts('are for admins'),
  },
  {
    rule: 'server: nobody is nobody',
    edits: [
      inServer(
        'routes/endpoint.ts',
        'if (identified === undefined) throw notSignedIn();\n  const',
        'if (identified === undefined) return;\n  const',
      ),
    ],
    test: isolation('by nobody'),
  },
  {
    rule: 'server: tries to sign in are counted',
    edits: [
      inServer(
        'routes/account-routes.ts',
        'const wasRight = await limits.take(tried);',
        'const wasRight = async () => {};',
      ),
    ],
    test: accounts('is slowed down'),
  },
  {
    rule: 'server: MCP serves the caller’s own files',
    edits: [
      inServer(
        'routes/mcp-route.ts',
        'parts.settings.autoLogin ? parts.namespaces.shared() : parts.namespaces.mineOf(userId)',
        'parts.namespaces.shared()',
      ),
    ],
    test: isolation('over MCP'),
  },
  {
    rule: 'server: each user has a namespace of their own',
    edits: [inServer('files/namespaces.ts', "open('mine', userId)),", "open('mine', 'same')),")],
    test: isolation('somebody else'),
  },
  {
    rule: 'server: MCP wants a caller',
    edits: [inServer('routes/mcp-route.ts', 'if (identified === undefined)', 'if (false)')],
    test: isolation('over MCP'),
  },
  {
    rule: 'server: a file in a browser has no script',
    edits: [inServer('routes/content-routes.ts', "'Content-Security-Policy': \"sandbox; default-src 'none'\",", '')],
    test: files('are shown as'),
  },
  {
    rule: 'server: the quota holds',
    edits: [
      inServer('files/namespaces.ts', '...(quotaBytes !== undefined && { quota: { maxBytes: quotaBytes } }),', ''),
    ],
    test: files('the quota'),
  },
  {
    rule: 'server: nothing is replaced unasked',
    edits: [inServer('routes/content-routes.ts', "...(!isSet(query.overwrite) && { expectedVersion: 'absent' }),", '')],
    test: files('not replaced'),
  },
  {
    rule: 'server: a one-time address opens once',
    edits: [inServer('local-session.ts', 'return codes.delete(code);', 'return true;')],
    test: starting('opens its page once'),
  },
  {
    rule: 'server: a preview does not use a one-time address up',
    edits: [inServer('routes/account-routes.ts', "context.env.incoming.method === 'GET' && ", '')],
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
    test: starting('lets nobody in'),
  },
  {
    rule: 'server: a new one-time address wants the token',
    edits: [inServer('routes/account-routes.ts', '|| !sameSecret(given, parts.machineToken)', '')],
    test: starting('makes a new one-time'),
  },
  {
    rule: 'server: cookies are secure over https',
    edits: [inServer('accounts/authentication.ts', 'secure: cookie.secure', 'secure: false')],
    test: starting('sends its cookie over https only'),
  },
  {
    rule: 'server: cookies stay on one site',
    edits: [inServer('accounts/authentication.ts', "sameSite: 'strict'", "sameSite: 'lax'")],
    test: accounts('sets a cookie'),
  },
  {
    rule: 'server: only trusted proxies speak for others',
    edits: [inServer('edge/addresses.ts', 'if (!isTrusted(address)) break;', '')],
    test: starting('counts tries'),
  },
  {
    rule: 'server: a server without sign-in is not reached by others',
    edits: [inServer('exposure.ts', 'if (autoLogin && reachedAt !== undefined && !allowOpenAutoLogin)', 'if (false)')],
    test: starting('is refused on'),
  },
  {
    rule: 'server: a change of rights ends sessions',
    edits: [
      inServer(
        'accounts/accounts.ts',
        'if (password !== undefined || disabled === true || after?.role !== before.role) await cut(id);',
        '',
      ),
    ],
    test: accounts('who '),
  },
  {
    rule: 'server: a new password ends other sessions',
    edits: [inServer('accounts/accounts.ts', 'await cut(userId, token);', '')],
    test: accounts('is changed with'),
  },
  {
    rule: 'server: a password is changed with the current one',
    edits: [inServer('accounts/accounts.ts', 'if (!(await auth.isPassword(userId, password.current)))', 'if (false)')],
    test: accounts('is changed with'),
  },
  {
    rule: 'server: a disabled user does not sign in',
    edits: [
      inServer(
        'accounts/accounts.ts',
        'if (user !== undefined && !user.disabled) return { user, cookies: signed.cookies };',
        'if (user !== undefined) return { user, cookies: signed.cookies };',
      ),
    ],
    test: accounts('who are disabled'),
  },
  {
    rule: 'server: where there is a bearer nothing else counts',
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
    rule: 'server: the reading endpoint takes plain paths',
    edits: [
      inServer(
        'routes/agentic-files.ts',
        "return !path.replaceAll('\\\\', '/').split('/').includes('..');",
        'return true;',
      ),
    ],
    test: files('says Invalid path'),
  },
  {
    rule: 'server: only one’s own changes of shared files are taken back',
    edits: [inServer('routes/file-routes.ts', '&& byCaller.has(one.who)', '')],
    test: isolation('is not taken back by others'),
  },
  {
    rule: 'server: the guard inside wants a key',
    edits: [
      inServer(
        'edge/answer-raw.ts',
        "if (typeof key !== 'string' || (await parts.ownerOfKey(key)) === undefined)",
        'if (false)',
      ),
    ],
    test: guarding('passes nothing on'),
  },
  {
    rule: 'server: the decisions of the guard inside are for admins',
    edits: [
      inServer(
        'edge/answer-raw.ts',
        'if (found === undefined) throw notSignedIn();',
        'if (found === undefined) return guard.decisions(request, response);',
      ),
    ],
    test: guarding('shows decisions to nobody'),
  },
  {
    rule: 'server: our key and cookie do not go to a model',
    edits: [inServer('guard-inside.ts', "forget(request, ['x-croft-key', 'cookie']);", '')],
    test: guarding('inside the project'),
  },
  {
    rule: 'server: keys of one mode open nothing in the other',
    edits: [inServer('identify.ts', 'return autoLogin === (userId === LOCAL_USER_ID);', 'return true;')],
    test: starting('share no keys'),
  },
  {
    rule: 'server review: an API key of an admin changes no account',
    edits: [
      inServer('routes/endpoint.ts', "access === 'session' || access === 'admin-session'", "access === 'session'"),
    ],
    test: isolation('looks at users, and neither makes, changes nor removes one'),
  },
  {
    rule: 'server review: a machine that is switched off is not replaced by the own disk',
    edits: [
      inServer(
        'files/caller-tools.ts',
        'return connected ? parts.hub.toolsFor(userId) : parts.localAccess.toolsFor(userId);',
        'const remote = parts.hub.toolsFor(userId);\n  return connected && remote.length > 0 ? remote : parts.localAccess.toolsFor(userId);',
      ),
    ],
    test: machines('are none while it is switched off'),
  },
  {
    rule: 'server review: tools of a machine do not hide, and are not hidden by, those of the workspace',
    edits: [
      inServer(
        'routes/mcp-route.ts',
        'besideOwn(own.tools, machineTools(parts, userId))',
        'machineTools(parts, userId)',
      ),
    ],
    test: machines('are reached beside those of the workspace'),
  },
  {
    rule: 'server review: a token that was not used goes with a changed password',
    edits: [
      inServer(
        'store/gateway-store.ts',
        'await db.delete(gatewayPairing).where(eq(gatewayPairing.userId, userId));',
        '',
      ),
    ],
    test: accounts('whose password is changed by an admin leave no stream open'),
  },
  {
    rule: 'server review: a password of one’s own ends what others opened with the old one',
    edits: [
      inServer(
        'accounts/accounts.ts',
        '    await onCut(userId);\n  };',
        '    if (exceptToken === undefined) await onCut(userId);\n  };',
      ),
    ],
    test: accounts('whose password is changed by the user leave no stream open'),
  },
  {
    rule: 'server review-two: a name has one count, however it is written',
    edits: [
      inServer('routes/account-routes.ts', 'const account = emailOf(body.login);', 'const account = body.login;'),
    ],
    test: tries('one count for all the ways'),
  },
  {
    rule: 'server review-two: a text that no column holds is a mistake of the one who sent it',
    edits: [inServer('problem.ts', "return code === '22021' || cause?.code === '22021';", 'return false;')],
    test: tries('asked with a NUL'),
  },
  {
    rule: 'server review-two: uploads of one person at once have a bound',
    edits: [inServer('routes/content-routes.ts', 'if (others >= MAX_UPLOADS_OF_ONE)', 'if (others < 0)')],
    test: files('are not sent in any number at once'),
  },
  {
    rule: 'server review-three: a cookie that was signed out opens nothing',
    edits: [inServer('identify.ts', 'if (await options.endedSessions.has(value)) return undefined;', '')],
    test: starting('a cookie that was signed out'),
  },
  {
    rule: 'server review-three: what was signed out is known after a restart',
    edits: [inServer('ended-sessions.ts', 'await writeSetting(await storage(), SETTING, [...ended]);', '')],
    test: starting('a cookie that was signed out'),
  },
  {
    rule: 'server review-three: signing out ends the streams',
    edits: [inServer('routes/account-routes.ts', 'parts.events.endFor(caller.userId);', '')],
    test: starting('a cookie that was signed out'),
  },
  {
    rule: 'server review-four: a page over http in the name of an address that is https is not ours',
    edits: [
      inServer('edge/own-origin.ts', 'if (url === undefined || url.hostname === secureName)', 'if (url === undefined)'),
    ],
    test: { file: `${SRC}edge/own-origin.test.ts`, name: 'is not ours over http where the address is https' },
  },
  {
    rule: 'server review-four: the way to a model leads to no other part of its server',
    edits: [inServer('guard-inside.ts', 'if (climbs(request.url)) return void response.writeHead(400).end();', '')],
    test: guarding('leads to no other part of the upstream'),
  },
  {
    rule: 'server review-four: a session of MCP is one of its caller',
    edits: [
      {
        file: 'packages/mcp/src/cancellable-calls.ts',
        find: 'JSON.stringify([clientId ?? null, named])',
        replace: 'JSON.stringify([named])',
      },
    ],
    test: { file: 'packages/mcp/src/cancellable-calls.test.ts', name: 'a session named by two callers' },
  },
  {
    rule: 'server review-five: a body without end is given up',
    edits: [
      inServer(
        'routes/endpoint.ts',
        'setTimeout(() => request.destroy(), deadlineMs)',
        'setTimeout(() => {}, deadlineMs)',
      ),
    ],
    test: { file: `${SRC}routes/endpoint.test.ts`, name: 'a body that does not come to its end is given up' },
  },
  {
    rule: 'server picking: directories are shown to the local user alone',
    edits: [inServer('routes/local-access-routes.ts', '  requireLocalUser(caller);\n  const isHere', '  const isHere')],
    test: isolation('are not for an admin who signed in'),
  },
  {
    rule: 'server picking: an API key is shown no directories',
    edits: [
      inServer(
        'routes/local-access-routes.ts',
        "    access: 'session',\n      body: z.object({ picking",
        "    access: 'caller',\n      body: z.object({ picking",
      ),
      inServer('routes/local-access-routes.ts', "via !== 'local' || ", ''),
    ],
    test: picking('is not shown to an API key'),
  },
  {
    rule: 'server picking: a page of another site is shown no directories',
    edits: [inServer('identify.ts', '  refuseForeignPage(request, options.originRule);\n', '')],
    test: picking('is not shown to a page of another site'),
  },
  {
    rule: 'server picking: directories are shown through no proxy',
    edits: [inServer('routes/local-access-routes.ts', '!isPassedOn(request) && openTo', 'openTo')],
    test: picking('is not shown through a proxy'),
  },
  {
    rule: 'server picking: a server that others reach shows no directories',
    edits: [inServer('routes/local-access-routes.ts', ' && openTo(parts.settings) === undefined', '')],
    test: picking('is not shown where others reach the server'),
  },
  {
    rule: 'server picking: directories are shown while somebody picks',
    edits: [
      inServer(
        'files/directory-picker.ts',
        'if (current === undefined || current.until < now() || !sameSecret(current.id, picking))',
        'if (false)',
      ),
    ],
    test: picking('is shown only while somebody picks'),
  },
  {
    rule: 'server picking: a picked directory ends it',
    edits: [inServer('routes/local-access-routes.ts', '      picker.end();\n', '')],
    test: picking('is shown only while somebody picks'),
  },
  {
    rule: 'server picking: nothing but directories is shown',
    edits: [inServer('files/directory-picker.ts', ".entries.filter(({ type }) => type === 'directory')", '.entries')],
    test: picking('shows names of directories and nothing else'),
  },
  {
    rule: 'server: a part is of the state one has the beginning of',
    edits: [
      inServer(
        'routes/content-routes.ts',
        "const isSameState = asked['if-range'] === undefined || asked['if-range'] === etag;",
        'const isSameState = true;',
      ),
    ],
    test: files('are of the state one has'),
  },
  {
    rule: 'server tries: one address has so many at one account',
    edits: [inServer('accounts/sign-in-limits.ts', '  await consume(db, pair, OF_PAIR, at);\n', '')],
    test: limits('of one address at one account'),
  },
  {
    rule: 'server tries: one address has so many in all',
    edits: [inServer('accounts/sign-in-limits.ts', '  await consume(db, address, OF_ADDRESS, at);\n', '')],
    test: limits('whatever the accounts'),
  },
  {
    rule: 'server tries: many addresses at one account are slowed down',
    edits: [
      inServer(
        'accounts/sign-in-limits.ts',
        '  await consume(db, account, OF_ACCOUNT, at).catch(',
        '  await Promise.resolve().catch(',
      ),
    ],
    test: limits('slower and slower'),
  },
  {
    rule: 'server tries: a known browser has a bound too',
    edits: [inServer('accounts/sign-in-limits.ts', '    await consume(db, browser, OF_PAIR, at);\n', '')],
    test: limits('in a known browser'),
  },
  {
    rule: 'server tries: all known browsers of an account have a bound together',
    edits: [
      inServer(
        'accounts/sign-in-limits.ts',
        'if ((await takeTry(db, browsers, OF_ACCOUNT, at)) === 0) return',
        'return',
      ),
    ],
    test: limits('of one who knew the password once'),
  },
  {
    rule: 'server tries: all known addresses of an account have a bound together',
    edits: [inServer('accounts/sign-in-limits.ts', ' && (await takeTry(db, homes, OF_ACCOUNT, at)) === 0)', ')')],
    test: limits('of one who knew the password once'),
  },
  {
    rule: 'server tries: the id of a known browser says nothing of an account',
    edits: [inServer('accounts/known-browsers.ts', 'if (!ID.test(id)) return undefined;', '')],
    test: { file: `${SRC}secret-rotation.test.ts`, name: 'does not take a known browser for one of another account' },
  },
  {
    rule: 'server ranges: an answer that cannot be finished is no room for the next one',
    edits: [inServer('routes/content-routes.ts', 'if (leftBytes > 0) outgoing.destroy();', '')],
    test: files('are never filled up with the next answer'),
  },
  {
    rule: 'server picking: a proxy that nobody named is one too',
    edits: [
      inServer(
        'routes/local-access-routes.ts',
        '!isPassedOn(request) && openTo',
        "parts.proxies.originOf(request).address === '127.0.0.1' && openTo",
      ),
    ],
    test: picking('is not shown through a proxy of this machine that nobody named'),
  },
  {
    rule: 'server tries: strangers lock nobody out',
    edits: [
      inServer('routes/account-routes.ts', 'browser: parts.knownBrowsers.find(marked, account)', 'browser: undefined'),
    ],
    test: accounts('not where it is known'),
  },
  {
    rule: 'server tries: a browser proves that it is known, for this account',
    edits: [
      inServer(
        'accounts/known-browsers.ts',
        'return keys.some((key) => sameSecret(signature, sign(key, id, account))) ? id : undefined;',
        'return id;',
      ),
    ],
    test: accounts('not where it is known'),
  },
  {
    rule: 'server tries: many at once are no more than many in a row',
    edits: [
      inServer(
        'store/sign-in-counts.ts',
        'setWhere: sql`${isOver} OR ${freeAt} <= ${now.toISOString()}::timestamptz`,',
        '',
      ),
    ],
    test: limits('many at once are no more'),
  },
  {
    rule: 'server keys: only a key this server had signs a session anew',
    edits: [
      inServer(
        'accounts/cookie-signature.ts',
        'if (!older.some((secret) => sameSecret(sign(token, secret), value.slice(dot + 1)))) return header;',
        '',
      ),
    ],
    test: { file: `${SRC}secret-rotation.test.ts`, name: 'signs a session of the old key anew, and nothing else' },
  },
  {
    rule: 'server review: a machine that has too much to do is a refusal',
    edits: [inServer('routes/tool-routes.ts', "if (reason === 'busy')", 'if (false)')],
    test: machines('are refused with a status of its own'),
  },
];
