// Mutations of what flows and their components may reach: each removes one rule and names the test that must
// then fail.
const SRC = 'apps/server/src/';
const COMPONENTS = 'packages/components/src/';
const FLOW = 'packages/flow/src/';

const inServer = (file, find, replace) => ({ file: SRC + file, find, replace });
const inComponents = (file, find, replace) => ({ file: COMPONENTS + file, find, replace });
const tweaking = (name) => ({ file: `${SRC}routes/run-tweaks.test.ts`, name });
const inFlow = (file, find, replace) => ({ file: FLOW + file, find, replace });
const inModels = (file, find, replace) => ({ file: `packages/models/src/${file}`, find, replace });
const bounding = (name) => ({ file: 'packages/models/src/bounded-replies.test.ts', name });
const inStudio = (file, find, replace) => ({ file: `apps/studio/src/${file}`, find, replace });
const coding = (name) => ({ file: `${SRC}routes/user-code.test.ts`, name });

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const FLOW_RULES = [
  {
    rule: 'studio: a person who approves a value sees all of its fields',
    edits: [inStudio('runs/shown-value.ts', '&& isMessage(record)', '')],
    test: { file: 'apps/studio/src/inspector/approvals.test.ts', name: 'shows the whole value' },
  },
  {
    rule: 'studio: versions that differ far from the start of a text do not look the same',
    edits: [
      inStudio('versions/flow-diff.ts', 'const start = Math.max(0, same - AROUND);', 'const start = same - same;'),
    ],
    test: { file: 'apps/studio/src/versions/flow-diff.test.ts', name: 'have a change far from the start' },
  },
  {
    rule: 'models: an error of a provider has a bound',
    edits: [inModels('models.ts', 'withBoundedReplies(withoutRedirects', '(withoutRedirects')],
    test: bounding('says that an error of a provider is too large'),
  },
  {
    rule: 'models: a reply of a provider has a bound',
    edits: [inModels('bounded-replies.ts', 'bytes > most || ', '')],
    test: bounding('ends a reply'),
  },
  {
    rule: 'models: a line of a stream has a bound',
    edits: [inModels('bounded-replies.ts', ' || line > mostOfLine', '')],
    test: bounding('with a line that does not end'),
  },
  {
    rule: 'flows: a run of a shared flow takes no tweaks',
    edits: [inServer('flow-runs/tweaks.ts', 'if (!isOwner) refuseShared(flow, registry, wanted);', '')],
    test: tweaking('a shared flow runs as it is stored'),
  },
  {
    rule: 'flows: a tweak reaches exposed fields only',
    edits: [inServer('flow-runs/tweaks.ts', 'exposed.find((each) => each.name', 'fields.find((each) => each.name')],
    test: tweaking('a tweak reaches no code'),
  },
  {
    rule: 'flows: a run sets no command and no name of a secret',
    edits: [inComponents('flows/author-fields.ts', 'NAMES.has(name) || ', '')],
    test: tweaking('a run sets no command'),
  },
  {
    rule: 'flows: a run chooses no MCP server',
    edits: [inComponents('flows/author-fields.ts', "(type === 'MCPTools' && OF_MCP.has(name))", 'false')],
    test: tweaking('a run chooses no MCP server'),
  },
  {
    rule: 'flows: a sub-flow takes no code, command or secret from its caller',
    edits: [inComponents('flows/flow-inputs.ts', 'if (isOfAuthor(type, field))', 'if (false)')],
    test: { file: `${COMPONENTS}flows/sub-flow.test.ts`, name: 'takes no value for' },
  },
  {
    rule: 'flows: few sub-flows of one level are under way at once',
    edits: [inComponents('flows/sub-flow-slots.ts', 'if (level.taken >= ofLevel)', 'if (ofLevel === 0)')],
    test: { file: `${COMPONENTS}flows/sub-flow.test.ts`, name: 'run a few at once' },
  },
  {
    rule: 'flows: an agent gets no machine tool that writes',
    edits: [inComponents('tools/remote-files.ts', '.filter(({ name }) => READERS.has(name))', '')],
    test: { file: `${COMPONENTS}tools/remote-files.test.ts`, name: 'does more than read' },
  },
  {
    rule: 'flows: a webhook runs nothing that another user has changed',
    edits: [inServer('flow-runs/start-stored-flow.ts', '(await isApproved(db, userId, found))', 'true')],
    test: { file: `${SRC}routes/webhook-routes.test.ts`, name: 'runs nothing that another user has changed' },
  },
  {
    rule: 'flows: a sub-flow of others runs only at an accepted version',
    edits: [inServer('flow-runs/stored-flows.ts', '!(await isApproved(db, userId, found))', 'false')],
    test: { file: `${SRC}flow-runs/sub-flows.test.ts`, name: 'only at a version that the caller accepted' },
  },
  {
    rule: 'flows: a public page shows no unaccepted text',
    edits: [inServer('routes/public-link-routes.ts', '!(await isApproved(db, ownerId, found))', 'false')],
    test: { file: `${SRC}routes/public-link-routes.test.ts`, name: 'neither runs nor shows the edit of another user' },
  },
  {
    rule: 'flows: an API key accepts no version',
    edits: [inServer('flows/approve-flow.ts', " || via === 'key'", '')],
    test: { file: `${SRC}flows/approve-flow.test.ts`, name: 'accepts nothing for an API key, or without a version' },
  },
  {
    rule: 'flows: only the version that was seen is accepted',
    edits: [inServer('flows/approve-flow.ts', 'if (version !== seen)', 'if (false)')],
    test: { file: `${SRC}routes/webhook-routes.test.ts`, name: 'runs nothing that another user has changed' },
  },
  {
    rule: 'flows: agents see no labels of an unaccepted version',
    edits: [inServer('flow-tools/tool-shape.ts', '(stored !== undefined && !tool.isAccepted)', 'false')],
    test: { file: `${SRC}flow-tools/published-flow-tools.test.ts`, name: 'shows no labels of that user' },
  },
  {
    rule: 'flows: an undo or a restore point accepts nothing that others wrote',
    edits: [inServer('flows/edit-flow.ts', "if (kind === 'edit' || isOwnHistory(locked)) ", '')],
    test: { file: `${SRC}flow-runs/sub-flows.test.ts`, name: 'only at a version that the caller accepted' },
  },
  {
    rule: 'flows: an edit on top of one of another user approves nothing',
    edits: [inServer('flows/approve-flow.ts', ', eq(flowApproval.version, version))', ')')],
    test: { file: `${SRC}routes/webhook-routes.test.ts`, name: 'runs nothing that another user has changed' },
  },
  {
    rule: 'runs: a missing socket of the database is an outage',
    edits: [
      {
        file: 'packages/runs/src/run-pool.ts',
        find: 'AWAY.has((error as NodeJS.ErrnoException).code) ?',
        replace: 'AWAY.has(undefined) ?',
      },
    ],
    test: { file: 'tests/runs/outage.test.ts', name: 'before a step is announced' },
  },
  {
    rule: 'flows: slow senders keep no others out',
    edits: [inServer('webhooks/hook-limits.ts', 'oldest === undefined || largest.size <= own.size + 1', 'true')],
    test: { file: `${SRC}routes/hook-body.test.ts`, name: 'keep no sender of another address out' },
  },
  {
    rule: 'flows: a failed query is not shown',
    edits: [inServer('flow-runs/without-queries.ts', 'if (!isOfDatabase(error)) throw error;', 'throw error;')],
    test: { file: `${SRC}flow-runs/without-queries.test.ts`, name: 'hides the statement' },
  },
  {
    rule: 'flows: a saved component has no name of a built-in one',
    edits: [
      inServer(
        'routes/component-routes.ts',
        'if (flowComponents.builtins.get(params.name) !== undefined)',
        'if (false)',
      ),
    ],
    test: coding('cannot have the name of a built-in'),
  },
  {
    rule: 'flows: components are those of their user',
    edits: [
      inServer(
        'components/user-components.ts',
        'const { workspace, quota } = files.open(userId)',
        "const { workspace, quota } = files.open('everyone')",
      ),
    ],
    test: coding('belongs to its user'),
  },
  {
    rule: 'flows: a component that fails is not saved',
    edits: [
      inServer(
        'routes/component-routes.ts',
        'const { probeComponent, fixOf } = await loadComponents();',
        'const { readComponent: probeComponent, fixOf } = await loadComponents();',
      ),
    ],
    test: coding('a failure at its load'),
  },
  {
    rule: 'flows: a signed request to a webhook expires',
    edits: [
      {
        file: 'packages/runs/src/triggers/webhook.ts',
        find: ' || Math.abs(now.getTime() - Number(time) * 1_000) > MAX_AGE_MS',
        replace: '',
      },
    ],
    test: { file: 'packages/runs/src/triggers/webhook.test.ts', name: 'a signature that is old' },
  },
  {
    rule: 'flows: the sessions of a flow are those of their user',
    edits: [
      inServer(
        'chats/sessions.ts',
        'and(eq(chatSession.userId, userId), eq(chatSession.flowId, flowId), isBefore(cursor))',
        'and(eq(chatSession.flowId, flowId), isBefore(cursor))',
      ),
    ],
    test: { file: `${SRC}routes/chat-routes.test.ts`, name: 'has sessions of their own' },
  },
  {
    rule: 'secrets: a stream holds the beginning of a secret',
    edits: [inFlow('run/redact-stream.ts', 'text.length - this.#begun(text)', 'text.length')],
    test: { file: `${FLOW}run/redact-stream.test.ts`, name: 'gives the same as the whole text' },
  },
  {
    rule: 'secrets: a cut divides no secret',
    edits: [inFlow('run/preview.ts', 'add(at, at + secret.length);', 'add(at, at);')],
    test: { file: `${FLOW}run/preview.test.ts`, name: 'shows no part of a secret of' },
  },
  {
    rule: 'secrets: an event has no value with a secret name',
    edits: [inFlow('run/preview.ts', "name.isSecret && each !== '' && each !== null", 'false')],
    test: { file: `${FLOW}run/preview.test.ts`, name: 'shows no value with a secret name' },
  },
];
