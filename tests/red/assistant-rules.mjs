// Mutations of what the assistant may do and show: each removes one rule and names the test that must then fail.
const SRC = 'apps/server/src/';
const ASSISTANT = 'packages/assistant/src/';

const inServer = (file, find, replace) => ({ file: SRC + file, find, replace });
const inAssistant = (file, find, replace) => ({ file: ASSISTANT + file, find, replace });
const assisting = (name) => ({ file: `${SRC}routes/assistant-routes.test.ts`, name });
const withFiles = (name) => ({ file: `${SRC}assistant/assistant-files.test.ts`, name });
const injecting = (name) => ({ file: `${ASSISTANT}injections.test.ts`, name });

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const ASSISTANT_RULES = [
  {
    rule: 'assistant: a live turn is found by its user only',
    edits: [inServer('assistant/live-turns.ts', 'return turn?.userId === userId ? turn : undefined;', 'return turn;')],
    test: assisting('keeps flows and turns of users apart'),
  },
  {
    rule: 'assistant: a stored turn is found by its user only',
    edits: [
      inServer(
        'assistant/turn-store.ts',
        'and(eq(assistantTurn.id, id), eq(assistantTurn.userId, userId))',
        'eq(assistantTurn.id, userId === id ? userId : id)',
      ),
    ],
    test: assisting('keeps flows and turns of users apart'),
  },
  {
    rule: 'assistant: a turn ends when its API key is revoked',
    edits: [
      inServer(
        'assistant/start-turn.ts',
        'if (caller.findAgain !== undefined)',
        "if (caller.userId === '' && caller.findAgain !== undefined)",
      ),
    ],
    test: { file: `${SRC}assistant/run-headless.test.ts`, name: 'the API key that started it is revoked' },
  },
  {
    rule: 'assistant: its file tools have the tree of its user only',
    edits: [inServer('assistant/open-turn.ts', 'tableOf(actor,', "tableOf({ ...actor, userId: 'everyone' },")],
    test: withFiles('are the user’s own, and no other user’s'),
  },
  {
    rule: 'assistant: a revert changes no folder that is read-only now',
    edits: [
      inServer(
        'assistant/revert-files.ts',
        'readOnly ? namespace.readOnly : namespace.workspace',
        'namespace.workspace',
      ),
    ],
    test: withFiles('have the shared ones only where an admin mounted them'),
  },
  {
    rule: 'assistant: a turn that has ended makes no further call of its model',
    edits: [inAssistant('tools/offer-tools.ts', 'options.halted.throwIfAborted();', '')],
    test: { file: `${ASSISTANT}run-turn.test.ts`, name: 'none of the further calls of the same reply' },
  },
  {
    rule: 'assistant: an action that the message does not ask for asks first',
    edits: [inAssistant('tools/consent.ts', 'asked[needs]) return true;', 'asked) return true;')],
    test: injecting('asks before it does what a message understood as'),
  },
  {
    rule: 'assistant: a removal that the message does not ask for asks first',
    edits: [inAssistant('asked-for.ts', 'change && TAKES_AWAY.test(words)', "change && words !== ''")],
    test: injecting('a model that obeys a hostile text does not'),
  },
  {
    rule: 'assistant: a write to a file that the message does not name asks first',
    edits: [
      inAssistant('tools/lost-file.ts', '|| namesFile(named, path)) return false', '|| named === named) return false'),
    ],
    test: injecting('a model that obeys a hostile text does not'),
  },
  {
    rule: 'assistant: a write to a file that the message only reads asks first',
    edits: [
      inAssistant('asked-for.ts', "if (both.length > 0) return both.join('\\n');", 'if (text !== "") return text;'),
    ],
    test: injecting('changes no file that the message names only to be read'),
  },
  {
    rule: 'assistant: a write to a file that the message only reads, as the model understood it, asks first',
    edits: [inAssistant('asked-for.ts', 'writes?.filter((file) => namesFile(text, file))', 'writes?.map(() => text)')],
    test: { file: `${ASSISTANT}asked-for.test.ts`, name: 'as a model understood it' },
  },
  {
    rule: 'assistant: files to write are understood',
    edits: [inAssistant('intent.ts', "Array.isArray(parsed['writes'])", "Array.isArray(parsed['intent'])")],
    test: injecting('changes no file of a message that only reads files'),
  },
  {
    rule: 'assistant: a longer name of a file does not name the file',
    edits: [inAssistant('asked-for.ts', '!/[\\p{L}\\p{N}_./\\\\-]$/u.test(before)', 'before === before')],
    test: { file: `${ASSISTANT}asked-for.test.ts`, name: 'names' },
  },
  {
    rule: 'assistant: a run that writes files asks where the message asks for no run',
    edits: [
      inAssistant('tools/unasked-writes.ts', '!context.asked.runWrites || (await', 'context === undefined || (await'),
    ],
    test: injecting('asks before a run writes files where the message'),
  },
  {
    rule: 'assistant: a run that writes a file which the message does not name asks',
    edits: [inAssistant('tools/unasked-writes.ts', '|| isLoss(file, context)', "|| file === ''")],
    test: injecting('asks before a run writes files where the message'),
  },
  {
    rule: 'assistant: a run that writes a file of which no name is known asks',
    edits: [
      inAssistant(
        'tools/unasked-writes.ts',
        'if (file === undefined) return true;',
        'if (file === undefined) return false;',
      ),
    ],
    test: injecting('asks before a run writes files where the message'),
  },
  {
    rule: 'assistant: a run with a writer that changed its way of writing asks',
    edits: [inAssistant('tools/unasked-writes.ts', 'before !== undefined && isSame &&', 'before !== undefined &&')],
    test: injecting('a run with a writer from before'),
  },
  {
    rule: 'assistant: a run that takes the place of the flow on the canvas asks',
    edits: [inAssistant('tools/run-tools.ts', "landing?.mode === 'replace' && turn", 'landing === null && turn')],
    test: injecting('a model that obeys a hostile text does not'),
  },
  {
    rule: 'assistant: calls of one reply are made one after another',
    edits: [
      inAssistant('tools/offer-tools.ts', 'run: (args) => inOrder(tool, args)', 'run: (args) => call(tool, args)'),
    ],
    test: assisting('makes the calls of one reply one after another'),
  },
  {
    rule: 'assistant: a question comes before what a model wrote',
    edits: [
      inAssistant(
        'tools/ask-tools.ts',
        'text: hidden(question.text).slice(0, MAX_TEXT) + quote',
        'text: (quote + hidden(question.text)).slice(0, MAX_TEXT)',
      ),
    ],
    test: injecting('the question whether to'),
  },
  {
    rule: 'assistant: a text of a model in a question is one short line',
    edits: [inAssistant('tools/ask-tools.ts', 'inOneLine(hidden(about)', '(hidden(about)')],
    test: injecting('the question whether to'),
  },
  {
    rule: 'assistant: one kind of consent gives no other',
    edits: [inAssistant('tools/consent.ts', 'notes.allowed.get(needs)', 'notes.allowed.values().next().value')],
    test: injecting('keeps consents of different kinds apart'),
  },
  {
    rule: 'assistant: texts of the canvas do not say what a message asks for',
    edits: [
      inAssistant(
        'intent.ts',
        'The canvas has ${flow.nodes.length} components.',
        'The canvas has ${JSON.stringify(flow.nodes)}.',
      ),
    ],
    test: injecting('understands a message without texts of the canvas'),
  },
  {
    rule: 'assistant: a run that reaches outside asks first',
    edits: [inAssistant('tools/run-tools.ts', 'if (key !== allowed && !', 'if (key === allowed && !')],
    test: injecting('asks again after it has read a text'),
  },
  {
    rule: 'assistant: the question covers the whole canvas',
    edits: [
      inAssistant(
        'tools/run-tools.ts',
        'outsideEffects(flow, turn.registry)',
        'outsideEffects(landing ? { ...flow, nodes: [] } : flow, turn.registry)',
      ),
    ],
    test: injecting('beside a flow of the canvas'),
  },
  {
    rule: 'assistant: an answer allows one run',
    edits: [
      inAssistant(
        'tools/run-tools.ts',
        '  const files = writtenFiles(flow, context);',
        '  if (context.notes.questions > 0) return true;\n  context.notes.questions++;\n  const files = writtenFiles(flow, context);',
      ),
    ],
    test: injecting('asks again after it has read a text'),
  },
  {
    rule: 'assistant: a secret in pieces is hidden',
    edits: [inAssistant('ask-model.ts', 'emitText(shown.add(value.text))', 'emitText(value.text)')],
    test: injecting('in several pieces'),
  },
  {
    rule: 'assistant: the rest of a key in pieces is hidden',
    edits: [inAssistant('hide-secrets.ts', "isInKey ? piece.replace(KEY_REST, '') : piece", 'piece')],
    test: { file: `${ASSISTANT}hide-secrets.test.ts`, name: 'shows nothing of a key' },
  },
  {
    rule: 'assistant: a user follows few turns at once',
    edits: [inServer('routes/stream-limit.ts', 'if (count >= most)', 'if (most === 0)')],
    test: assisting('at most 20 streams'),
  },
  {
    rule: 'assistant: a model with real calls makes none by a text',
    edits: [inAssistant('work-on.ts', '!makesCalls && ', '')],
    test: { file: `${ASSISTANT}weak-models.test.ts`, name: 'makes no call that a model with real calls quotes' },
  },
  {
    rule: 'assistant: a search finds no part of a secret',
    edits: [
      inAssistant(
        'tools/read-tools.ts',
        'hideSecretsIn(Object.fromEntries(shown(node)), secrets)',
        'Object.fromEntries(shown(node))',
      ),
    ],
    test: injecting('finds no component by a part of a secret'),
  },
];
