import type { Edit, FlowDocument, FlowSpec, Json } from '@croft/flow';
import { questionAbout } from './approval.ts';
import { FILE_NAME, type Wires, WRITER } from './file-form.ts';
import { APPROVAL } from './from-components.ts';

const QUESTION = 'question';
/** The questions that {@link questionAbout} makes. Others are the user's own. */
const MADE = /^Write this to .+\?$/s;

/** A question of an approval that does not name the files which are written after it. */
export interface Renamed {
  readonly node: string;
  /** Undefined: no file is written after it. */
  readonly question: string | undefined;
}

/**
 * The made questions that do not name all files which their answer lets a flow write: those of the writers after the approval, on
 * any path.
 */
export function renamedQuestions(flow: Wires, valueOf: (node: string, field: string) => Json | undefined): Renamed[] {
  return flow.nodes.flatMap(({ id, type }) => {
    if (type !== APPROVAL) return [];
    const asked = valueOf(id, QUESTION);
    if (asked !== undefined && !(typeof asked === 'string' && MADE.test(asked))) return [];
    const files = [...after(id, flow)].flatMap((each) => {
      const file = flow.nodes.some((node) => node.id === each && node.type === WRITER) && valueOf(each, FILE_NAME);
      return typeof file === 'string' && file !== '' ? [file] : [];
    });
    const { [QUESTION]: question } = questionAbout([...new Set(files)]);
    return question === asked ? [] : [{ node: id, question }];
  });
}

/** The components that get a value from this one, on any path. */
function after(start: string, { edges }: Wires): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const { from, to } of edges) {
      if (from.node !== id || found.has(to.node)) continue;
      found.add(to.node);
      open.push(to.node);
    }
  return found;
}

/** The spec with questions that name all files which their answer lets it write. */
export function withQuestions(spec: FlowSpec): FlowSpec {
  const valueOf = (node: string, field: string) =>
    spec.config.find((each) => each.node === node && each.field === field)?.value;
  const renamed = renamedQuestions(spec, valueOf);
  const isRenamed = (node: string) => renamed.some((each) => each.node === node);
  const kept = spec.config.filter(({ node, field }) => field !== QUESTION || !isRenamed(node));
  const named = renamed.flatMap(({ node, question }) =>
    question === undefined ? [] : [{ node, field: QUESTION, value: question }],
  );
  return renamed.length === 0 ? spec : { ...spec, config: [...kept, ...named] };
}

/** The edits after which the questions of a flow name the files that it writes. A question without files after it stays. */
export function questionEdits(flow: Pick<FlowDocument, 'nodes' | 'edges'>): Edit[] {
  const valueOf = (id: string, field: string) => flow.nodes.find((node) => node.id === id)?.values[field];
  return renamedQuestions(flow, valueOf).flatMap(({ node, question }): Edit[] =>
    question === undefined ? [] : [{ kind: 'configure', id: node, values: { question } }],
  );
}
