// Mutations of how the assistant reads what a message orders: each names the test that must then fail.
const ASSISTANT = 'packages/assistant/src/';

const inAssistant = (file, find, replace) => ({ file: ASSISTANT + file, find, replace });

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const ORDER_RULES = [
  {
    rule: 'assistant: a message that forbids something names no file for a change',
    edits: [inAssistant('asked-for.ts', "if (isReserved(own)) return '';", '')],
    test: { file: `${ASSISTANT}asked-for.test.ts`, name: 'Fix out.md but not notes.md' },
  },
  {
    rule: 'assistant: what a message forbids holds for later runs',
    edits: [
      inAssistant('tools/unasked-writes.ts', '!history.some(({ user }) => forbidsActs(user))', 'history.length >= 0'),
    ],
    test: { file: `${ASSISTANT}tools/unasked-writes.test.ts`, name: 'an earlier message forbade to overwrite' },
  },
  {
    rule: 'assistant: croft/offline carries out no question',
    edits: [inAssistant('asked-for.ts', '!isQuestion(message)', "message !== ''")],
    test: { file: `${ASSISTANT}asked-for.test.ts`, name: 'takes only plain orders to croft/offline' },
  },
  {
    rule: 'assistant: croft/offline runs by a plain order only',
    edits: [inAssistant('asked-for.ts', "ordersRun(orderIn(message) ?? '')", "orderIn(message) !== ''")],
    test: { file: `${ASSISTANT}asked-for.test.ts`, name: 'takes only plain orders to croft/offline' },
  },
  {
    rule: 'assistant: croft/offline takes back by a plain order only',
    edits: [inAssistant('asked-for.ts', 'isOrder && ordersUndo(message)', 'isOrder')],
    test: { file: `${ASSISTANT}asked-for.test.ts`, name: 'takes only plain orders to croft/offline' },
  },
  {
    rule: 'assistant: croft/offline writes by a plain order only',
    edits: [inAssistant('asked-for.ts', 'isOrder && !isTentative(message)', 'isOrder')],
    test: { file: `${ASSISTANT}asked-for.test.ts`, name: 'takes only plain orders to croft/offline' },
  },
  {
    rule: 'assistant: a run after a message with a reservation asks, also where the flow is as it was',
    edits: [inAssistant('tools/unasked-writes.ts', '!isReserved(message) && ', '')],
    test: { file: `${ASSISTANT}tools/unasked-writes.test.ts`, name: 'an earlier message forbade to overwrite' },
  },
];
