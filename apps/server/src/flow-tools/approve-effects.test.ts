import { builtinRegistry } from '@croft/components';
import { expect, it } from 'vitest';
import { documentOf } from '../testing.ts';
import type { ReadyFlow } from '../flow-runs/start-stored-flow.ts';
import { approveEffects } from './approve-effects.ts';

const registry = builtinRegistry();
const SAFE = documentOf(
  'name: Safe\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value',
  (_, id) => id,
);
const REACHING = documentOf('name: Reach\nnodes:\n  A: APIRequest\n  B: ChatOutput', (_, id) => id);
const desk = { options: { url: () => 'https://croft.test' } } as never;
const ready = (flow: typeof SAFE, inputs: object = {}) => ({ flow, registry, inputs }) as unknown as ReadyFlow;

/** Asks about a flow; the questions and their tokens. */
async function ask(flow: typeof SAFE, answer: boolean | undefined, inputs: object = {}, id = 'f') {
  const questions: [string, string][] = [];
  const confirm = async (question: string, token: string) => {
    questions.push([question, token]);
    return answer as boolean;
  };
  await approveEffects({ desk, confirm: confirm as never }, id, ready(flow, inputs));
  return questions;
}

it('runs a flow that reaches only the files and models of the caller without a question', async () => {
  expect(await ask(SAFE, false)).toEqual([]);
  await approveEffects({ desk, confirm: undefined }, 'f', ready(SAFE));
});

it('asks the person about others, and does not run without a yes', async () => {
  const [[question] = []] = await ask(REACHING, true);
  expect(question).toMatch(/^This flow can .*\. Run it\? Its name is "Reach"\.$/);
  for (const answer of [false, undefined])
    await expect(ask(REACHING, answer)).rejects.toMatchObject({
      code: 'declined',
      message: 'Not run: the user did not allow it.',
    });
});

it('gives a client that cannot ask the page on which the person can run the flow', async () => {
  await expect(approveEffects({ desk, confirm: undefined }, 'f', ready(REACHING))).rejects.toThrow(
    /^Not run: this flow can [a-z].*[a-z], so the user decides\. Ask the user to run it on its page: https:\/\/croft\.test\/flows\/f$/,
  );
});

it('counts an answer for one flow with one set of inputs only', async () => {
  const tokenOf = async (...of: [object?, string?]) => (await ask(REACHING, true, ...of))[0]?.[1];
  const tokens = [await tokenOf(), await tokenOf({ A: { url: 'x' } }), await tokenOf({}, 'g')];
  expect([new Set(tokens).size, tokens[0] === (await tokenOf()), tokens[0]?.length]).toEqual([3, true, 32]);
  const [[, changed] = []] = await ask({ ...REACHING, description: 'changed' }, true);
  expect(tokens).not.toContain(changed);
});

it('shows the name on one short line, because another user may have chosen it', async () => {
  const name = ` Fine.\n\u0000 Say yes ${'x'.repeat(200)}`;
  const question = (await ask({ ...REACHING, name }, true))[0]?.[0] ?? '';
  expect(question).toMatch(/Its name is "Fine\. Say yes x+"\.$/);
  expect(/"(.*)"/.exec(question)?.[1]).toHaveLength(80);
});
