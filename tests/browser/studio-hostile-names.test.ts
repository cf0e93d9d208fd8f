import { callReply } from '@croft/models/testing';
import { describe, expect, it } from 'vitest';
import { type AssistantPage, useAssistant } from './assistant-page.ts';
import { change } from './studio-servers.ts';

const assistant = useAssistant({ model: true });

/** Leaves a mark in the page, and one for the next pages. */
const SCRIPT = "globalThis.taken=localStorage.taken='taken'";
/** Markup without a slash, so that it can be the name of a file. */
const NAME = `<img src=x onerror="${SCRIPT}">`;
/** Markdown with the ways to run a script. Chats and pages have it as a text of a user, a model or a flow. */
const TEXT = `${NAME} [one](javascript:${SCRIPT}) [two](JaVa&#115;cript:${SCRIPT}) [three](data:text/html,<script>${SCRIPT}</script>) ![four](javascript:${SCRIPT}) <a href="javascript:${SCRIPT}">five</a> <iframe srcdoc="<script>parent.${SCRIPT}</script>"></iframe>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${SCRIPT}"><script>${SCRIPT}</script></svg>`;
const HTML = `<!doctype html><title>Page</title><script>${SCRIPT}</script>${NAME}`;

/** Files by their names. Each is opened in the preview. */
const FILES: Readonly<Record<string, string>> = {
  // The server reads no name with these characters: the page shows the refusal, which has the name.
  [`${NAME}.txt`]: '',
  'note.md': `# Note\n\n${TEXT}\n\n![six](pic.svg)\n`,
  'pic.svg': SVG,
  'page.html': HTML,
  'rows.csv': `name,${NAME.replaceAll('"', "'")}\n"${TEXT.replaceAll('"', "'")}",1\n`,
  'data.json': JSON.stringify({ [NAME]: TEXT }),
};

/** Fails with an error that has the name of its file. */
const FLOW = `name: Hostile
nodes:
  I: ChatInput
  R: ReadData
  P: ParserComponent
  O: ChatOutput
  E: ChatOutput
edges:
  I.message -> O.input_value
  R.dataframe -> P.input_data
  P.parsed_text -> E.input_value
`;
const ECHO = 'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
const COMPONENT = `export class Hostile extends Component {
  label = ${JSON.stringify(NAME)};
  inputs = [{ name: 'value', label: ${JSON.stringify(NAME)}, kind: 'text' }];
  outputs = [{ name: 'result', types: ['Message'], method: 'build' }];
  build() {
    return this.value;
  }
}`;

/** Lists handlers, documents in attributes, addresses of scripts, and the marks of a script that ran. */
const FOUND = String.raw`[...document.querySelectorAll('*')].flatMap((element) => [...element.attributes].filter(({ name, value }) =>
  /^on|^srcdoc$/i.test(name) || (/^(?:xlink:)?href$|^src$|^(?:form)?action$/i.test(name) && /^\s*(?:javascript|vbscript|data:(?!image\/(?!svg)))/i.test(value))
).map(({ name, value }) => element.tagName + ' ' + name + '=' + value)).concat(globalThis.taken ?? [], localStorage.taken ?? [])`;

describe('texts with scripts in them', () => {
  it('run none in Files, Flows, the canvas, the playground, the assistant and Settings', async () => {
    const studio = await assistant.open({ source: FLOW, files: FILES });
    const { page, visitor, flowId } = studio;
    /** Checks the page once it has a text. */
    const check = async (place: string, text: string | RegExp = NAME) => {
      await page.getByText(text).first().waitFor();
      expect([place, await page.evaluate(FOUND)]).toEqual([place, []]);
    };
    const goTo = (path: string) =>
      page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(`/${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );

    await fill(studio);
    await check('canvas');
    await page.locator('.react-flow__node-component').filter({ hasText: NAME }).first().click();
    await check('inspector');

    assistant.script.push(
      { text: '{"intent": "build_flow", "scope": "new"}' },
      callReply('propose_plan', { plan: TEXT }),
      { text: `${TEXT} end of the reply` },
    );
    await studio.send(TEXT.slice(0, 500));
    await check('plan of the assistant', 'Continue');
    await check('reply of the assistant', 'end of the reply');

    await goTo('flows');
    await check('flows');
    const { flow: echo } = (await change(visitor, 'POST', '/api/v1/flows/import', { source: ECHO })) as {
      flow: { id: string };
    };
    await goTo(`flows/${echo.id}/play`);
    await page.getByRole('textbox', { name: 'Message' }).fill(`${TEXT} said`);
    await page.keyboard.press('Enter');
    await page.getByText(/^Took /).waitFor();
    await check('playground', / said/);
    await goTo(`flows/${flowId}/runs`);
    await page
      .getByRole('link', { name: /failed/i })
      .first()
      .click();
    await check('run');
    await goTo(`flows/${flowId}/use`);
    await check('use');

    const settings = { account: 'Change password', users: NAME, keys: NAME, activity: 'out.txt', components: NAME };
    for (const [path, text] of Object.entries(settings)) {
      await goTo(`settings/${path}`);
      await check(path, text);
    }

    await goTo('files');
    await check('files', 'page.html');
    studio.expectComplaint(/status of 400/);
    const pane = page.getByRole('region', { name: /^Preview of/ });
    const shown = [
      pane.getByText('contains " < >'),
      pane.getByRole('heading', { name: 'Note' }),
      pane.getByText('<svg'),
      pane.getByText('<!doctype html>'),
      pane.getByText('onerror'),
      pane.getByText('onerror'),
    ];
    for (const [index, file] of Object.keys(FILES).entries()) {
      await goTo(`files?file=${encodeURIComponent(file)}`);
      await shown[index]?.first().waitFor();
      await check(file, file);
    }
    // The file itself, in a tab of its own: the browser shows or downloads it.
    const tab = await page.context().newPage();
    for (const file of ['pic.svg', 'page.html'])
      for (const query of ['', '&download=1'])
        await tab.goto(`${studio.url}api/v1/files/content?path=${file}${query}`).catch(() => undefined);
    await tab.close();
    await check('after the files', 'page.html');
  });
});

/** Puts hostile names into the flow, the components, the keys and the account of a user. */
async function fill({ visitor, flowId }: AssistantPage): Promise<void> {
  type Stored = { flow: { version: number; document: { nodes: { id: string; type: string }[] } } };
  const { flow } = (await visitor.json<Stored>(`/api/v1/flows/${flowId}`)).body;
  const of = (type: string) => flow.document.nodes.find((node) => node.type === type)?.id ?? '';
  const note = { id: 'note', text: TEXT, position: { x: 0, y: 400 }, size: { width: 300, height: 200 } };
  const edits = [
    { kind: 'set_details', name: NAME, description: TEXT },
    { kind: 'rename', id: of('ChatInput'), name: NAME },
    { kind: 'configure', id: of('ChatInput'), values: { input_value: TEXT } },
    { kind: 'configure', id: of('ReadData'), values: { path: 'absent.csv' } },
    { kind: 'set_note', note },
    { kind: 'set_group', group: { id: 'group', name: NAME, nodes: [of('ChatOutput')] } },
  ];
  await change(visitor, 'POST', `/api/v1/flows/${flowId}/edits`, { base: flow.version, edits });
  await change(visitor, 'PUT', `/api/v1/flows/${flowId}/tags`, { tags: ['<img src=x>'] });
  await change(visitor, 'PUT', '/api/v1/components/Hostile', { code: COMPONENT });
  await change(visitor, 'PATCH', '/api/v1/me', { name: NAME });
  await change(visitor, 'POST', '/api/v1/keys', { name: NAME });
  await change(visitor, 'POST', '/api/v1/tools/full/write_file', { path: 'out.txt', content: TEXT });
  await visitor.json(`/api/v1/flows/${flowId}/run`, { method: 'POST', json: { message: TEXT } });
}
