import { useMemo } from 'react';
import { asksPerson, type RunField, runFields } from '../canvas/run-fields.ts';
import type { OpenFlow } from '../flows/with-flow.tsx';
import { Link } from '../routing/link.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs.tsx';
import { type FlowUse, snippetsOf } from './snippets.ts';

/** Components that take the message of a run. */
const TAKES_MESSAGE: ReadonlySet<string> = new Set(['ChatInput', 'TextInput']);

/** Code that runs the flow. */
export function CodeCard({ open: { flow, document, registry } }: { open: OpenFlow }) {
  const snippets = useMemo(() => {
    const entry =
      document.nodes.find(({ type }) => type === 'ChatInput') ??
      document.nodes.find(({ type }) => TAKES_MESSAGE.has(type));
    const sample = entry?.values['input_value'];
    const fields = runFields(document, registry).filter(({ node }) => node !== entry?.id);
    return snippetsOf({
      url: new URL('.', globalThis.document.baseURI).href,
      id: flow.id,
      message: entry && (typeof sample === 'string' && sample !== '' ? sample : 'Hello'),
      inputs: inputsOf(fields),
      isQueued: asksPerson(document, registry),
    });
  }, [flow.id, document, registry]);
  return (
    <Card aria-label="Use it from code">
      <CardHead
        title="Use it from code"
        about={
          <>
            The code reads an API key from the variable <code className="font-mono text-ink">CROFT_KEY</code>.{' '}
            <Link to="/settings/keys" className="text-accent-strong underline underline-offset-2">
              Create a key
            </Link>
          </>
        }
      />
      <CardBody>
        <Tabs defaultValue={snippets[0]?.id ?? ''}>
          <TabList aria-label="Languages">
            {snippets.map(({ id, name }) => (
              <Tab key={id} value={id}>
                {name}
              </Tab>
            ))}
          </TabList>
          {snippets.map(({ id, name, about, code }) => (
            <TabPanel key={id} value={id} className="grid grid-cols-1 gap-2 pt-3">
              <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
                <p className="min-w-0 flex-[1_1_16rem] text-sm text-soft">{about}</p>
                <CopyButton text={code} label="Copy" small />
              </div>
              <pre
                role="region"
                tabIndex={0}
                aria-label={`Code for ${name}`}
                className="overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-xs leading-relaxed"
              >
                {code}
              </pre>
            </TabPanel>
          ))}
        </Tabs>
      </CardBody>
    </Card>
  );
}

function inputsOf(fields: readonly RunField[]): FlowUse['inputs'] {
  const inputs: Record<string, Record<string, unknown>> = {};
  for (const { node, field, value } of fields) (inputs[node] ??= {})[field.name] = value ?? '';
  return inputs;
}
