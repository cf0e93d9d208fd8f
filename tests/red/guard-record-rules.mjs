// Rules of the guard's hook answers, its page, its record, and its doors that came later.
const SRC = 'packages/guard/src/';

const inGuard = (file, find, replace = '') => ({ file: SRC + file, find, replace });
const inCli = (file, find, replace = '') => ({ file: `apps/cli/src/${file}`, find, replace });
const rule = (name, test, ...edits) => ({ rule: `guard: ${name}`, edits, test });
const beside = (file) => (name) => ({ file: `${SRC}${file}.test.ts`, name });
const besideCli = (file) => (name) => ({ file: `apps/cli/src/${file}.test.ts`, name });
const doors = (name) => ({ file: 'tests/red/guard-doors.test.ts', name });

const routes = beside('decisions/decision-routes');
const record = beside('decisions/decisions');
const inRoutes = (find, replace) => inGuard('decisions/decision-routes.ts', find, replace);
const inKeys = (find, replace) => inGuard('decisions/page-key.ts', find, replace);
const inLog = (find, replace) => inGuard('decisions/decisions.ts', find, replace);

const HOOK_RULES = [
  rule(
    'hook: code 2 for an answer that cannot be written',
    doors('blocks with code 2 where its answer cannot be written'),
    inCli(
      'commands/guard-hook.ts',
      '!say(STDOUT, `${JSON.stringify(output)}\\n`)',
      'say(STDOUT, JSON.stringify(output)) === 0',
    ),
  ),
  rule(
    'hook: code 2 where nobody reads the answer',
    doors('blocks with code 2 where nobody reads its answer'),
    inCli('commands/guard-hook.ts', '(isNowhere(STDOUT) || !say(', '(!say('),
  ),
  rule(
    'hook: no relative working directory',
    beside('hook')('is denied in its format'),
    inGuard('hook.ts', "if (cwd && !isAbsolute(cwd)) throw new Malformed('cwd is not absolute');"),
  ),
  rule(
    'setup: a hook that cannot be started blocks',
    besideCli('setup/hook-command')('blocks where the program is gone'),
    inCli('setup/hook-command.ts', '${quoted(script)} guard hook || exit 2`', '${quoted(script)} guard hook`'),
  ),
  rule(
    'setup: the program is not copied where others could change it',
    besideCli('setup/kept-program')('is not kept where another user could change it'),
    inCli('setup/kept-program.ts', 'expectOwn(dirname(dir));', ''),
  ),
  rule(
    'setup: a hook somebody wrote stays',
    besideCli('setup/hook-config')('leaves a hook alone that somebody wrote with flags, or for some tools'),
    inCli('setup/hook-config.ts', 'if (!PLAIN_END.test(rest))', 'if (rest === undefined)'),
  ),
];

const MCP_RULES = [
  rule(
    'mcp: nothing too large goes on',
    doors('forwards nothing that is too large'),
    inGuard(
      'mcp/mcp-filter.ts',
      'return id === undefined ? {} : { answer: errorLine(id,',
      "return id !== undefined ? { forward: Buffer.from(id) } : { answer: errorLine('0',",
    ),
  ),
  rule(
    "mcp: an answer never cuts the server's line",
    beside('mcp/mcp-door')("never cuts the server's own lines with an answer"),
    inGuard('mcp/mcp-door.ts', 'if (atLineEnd) flush();', 'flush();'),
  ),
  rule(
    'mcp: over HTTP the server never sees a blocked call',
    beside('mcp/mcp-http-door')('answers a blocked call itself, sends the bytes of the others'),
    inGuard('mcp/mcp-http-door.ts', '(line) => take(filter.line(line)),', '(line) => take({ forward: line }),'),
  ),
  rule(
    'mcp: over HTTP no redirect is followed',
    beside('mcp/mcp-http-door')('answers whoever waits when the server answers with a redirect'),
    inGuard('mcp/mcp-http-door.ts', "redirect: 'error',", "redirect: 'manual',"),
  ),
];

const RECORD_RULES = [
  rule(
    'log: what looks like a secret is taken out',
    record('holds no secret and no control character'),
    inGuard(
      'decisions/log-text.ts',
      'const plain = SECRETS.reduce((rest, [secret, instead]) => rest.replace(secret, instead), near);',
      'const plain = near;',
    ),
  ),
  rule(
    'log: nothing acts on a terminal',
    record('holds no secret and no control character'),
    inGuard('decisions/log-text.ts', 'return text.replace(HIDDEN, escaped);', 'return text;'),
  ),
  rule(
    'log: a short text is looked at too',
    record('holds no secret and no control character'),
    inGuard('decisions/log-text.ts', ' && !SUSPECT.test(text)'),
  ),
  rule(
    'log: so many paths and no more',
    record('and never grows long'),
    inGuard('decisions/decision-record.ts', 'paths: paths.slice(0, MAX_PATHS).map(', 'paths: paths.map('),
  ),
  rule(
    'log: for its owner only',
    record('lets nobody else read it'),
    inGuard('decisions/decision-file.ts', 'openSync(file, flags, 0o600)', 'openSync(file, flags, 0o644)'),
  ),
  rule(
    'log: a blocked call is written at once',
    record('writes a blocked call before anything else happens'),
    inLog("if (decision.decision === 'block' || waiting.length", 'if (waiting.length'),
  ),
  rule(
    'log: a log that fails stops nobody',
    record('counts what cannot be written, tells it once, and never throws'),
    inLog('      fail(error, lost);\n', '      throw error;\n'),
  ),
  rule(
    'log: what others wrote is a record or nothing',
    record('passes over what is no record'),
    inGuard('decisions/parse-record.ts', 'RECORD.safeParse(JSON.parse(line)).data', 'JSON.parse(line)'),
  ),
  rule(
    'log: half a line of a killed process is ended',
    record('ends half a line that a killed process left'),
    inGuard('decisions/decision-file.ts', "writeSync(fd, '\\n');", 'size;'),
  ),
  rule(
    'guard log: nothing acts on a terminal',
    besideCli('commands/guard-log')('shows nothing that acts on a terminal of what another program wrote'),
    inCli(
      'commands/guard-log.ts',
      '${printableName(record.tool).padEnd(toolWidth)}',
      '${record.tool.padEnd(toolWidth)}',
    ),
  ),
  rule(
    'guard log: nothing acts on a terminal as JSON',
    besideCli('commands/guard-log')('shows nothing that acts on a terminal of what another program wrote'),
    inCli('commands/guard-log.ts', 'printableJson(record)', 'JSON.stringify(record)'),
  ),
  rule(
    'upstream: a retry that reaches nobody is told',
    { file: 'tests/guard/wire/proxy.test.ts', name: 'that cannot be had when the model is asked again is told too' },
    inGuard('proxy/exchange.ts', 'if (!answered && !this.#gone) this.#options.onUnreachable?.(this.#target, error);'),
  ),
];

const PAGE_RULES = [
  rule(
    'page: no request of a foreign page',
    routes('refuse what a foreign page could have caused'),
    inRoutes('if (problem !== undefined) return json(403, { error: problem });', ''),
  ),
  rule(
    'page: another port is another server',
    routes('refuse what a foreign page could have caused'),
    inGuard('decisions/own-host.ts', ' && origin.port === host.port;', ';'),
  ),
  rule(
    'page: the code opens once',
    routes('hand the key out once, to a person, and only for the code'),
    inKeys('isUsed = true;', ''),
  ),
  rule(
    'page: only for the code',
    routes('hand the key out once, to a person, and only for the code'),
    inKeys(' || !sameSecret(given, code)', ''),
  ),
  rule(
    'page: a preview does not use the code up',
    routes('hand the key out once, to a person, and only for the code'),
    inRoutes(
      "method === 'GET' ? parts.keys.redeem(query.get('code') ?? '') : undefined",
      "parts.keys.redeem(query.get('code') ?? '')",
    ),
  ),
  rule('page: codes grow old', routes('let keys and codes grow old'), inKeys('now() > until || ', '')),
  rule('page: keys grow old', routes('let keys and codes grow old'), inKeys(' && age < KEY_MS;', ';')),
  rule(
    'page: keys are signed',
    routes('show decisions only to whoever has the key or the token'),
    inKeys(' || !sameSecret(signature, sign(issued))', ''),
  ),
  rule(
    'page: decisions want a key',
    routes('show decisions only to whoever has the key or the token'),
    inRoutes('mayRead(parts, headers) ? decisions(parts, query)', 'mayRead !== undefined ? decisions(parts, query)'),
  ),
  rule(
    'page: the token is compared',
    routes('show decisions only to whoever has the key or the token'),
    inRoutes(' && sameSecret(bearer, token);', ';'),
  ),
  rule(
    'page: a browser sees nothing of an upstream',
    routes('let a browser see nothing of an upstream, whose script could read the key'),
    inRoutes(
      "return json(403, { error: 'This address is for programs; the page is at /guard' });",
      'return undefined;',
    ),
  ),
  rule(
    'page: nothing below it goes upstream',
    routes('leave every other path alone, and keep all below /guard'),
    inRoutes(
      "if (path !== '/guard' && !path.startsWith('/guard/')) {",
      "if (path !== '/guard' && !/^.guard.(open|metrics|decisions)?$/.test(path)) {",
    ),
  ),
  rule(
    'page: a policy that loads nothing',
    routes('are pages nothing can be put into'),
    inGuard('decisions/page/render-page.ts', "default-src 'none'; ", ''),
  ),
  rule(
    'page: no line for a path that was cut',
    beside('decisions/allow-line')('offers nothing where no line would help'),
    inGuard('decisions/allow-line.ts', "    written.includes('…') ||\n", ''),
  ),
  rule(
    'serve: an allowed host is a name',
    besideCli('compose/allowed-host')('for no allowed host'),
    inCli('compose/allowed-host.ts', '&& isIP(bare) === 0)', '&& isIP(bare) === 7)'),
  ),
];

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const RECORD_AND_PAGE_RULES = [...HOOK_RULES, ...MCP_RULES, ...RECORD_RULES, ...PAGE_RULES];
