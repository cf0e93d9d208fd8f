import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { type Diagnostic, linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import type { CodeProblem } from '../inspector/code-view.ts';
import { TYPE_LOOK } from './type-look.ts';
import { NoTypes, openTypeThread, type TypeThread } from './type-thread.ts';

const PAUSE_MS = 400;
const SLOW = 'This code keeps the compiler busy for more than 3 seconds, and is checked again after your next change.';
const FAILED = 'The compiler stopped or did not load; your next change starts it again.';

/** Checks types while a person edits a component, and offers completions and the declarations of names. */
export function typeSupport(onProblems: (problems: readonly CodeProblem[]) => void): {
  extension: Extension;
  close: () => void;
} {
  const thread = openTypeThread();
  return {
    extension: [
      linter((view) => findings(view, thread, onProblems), { delay: PAUSE_MS }),
      autocompletion({ override: [(context) => completions(context, thread)], icons: false }),
      hoverTooltip((view, at) => declaration(view, at, thread)),
      TYPE_LOOK,
    ],
    close: () => thread.close(),
  };
}

async function findings(
  view: EditorView,
  thread: TypeThread,
  onProblems: (problems: readonly CodeProblem[]) => void,
): Promise<Diagnostic[]> {
  const { doc } = view.state;
  try {
    const found = await thread.ask({ kind: 'check', code: doc.toString() });
    // The text changed meanwhile: its own check follows.
    if (view.state.doc !== doc) return [];
    onProblems(found.map(({ line, message }) => ({ line, message, isType: true })));
    return found.map(({ from, to, message }) => ({ from, to, message, severity: 'warning', source: 'types' }));
  } catch (error) {
    if (!(error instanceof NoTypes)) throw error;
    if (error.reason === 'slow' || error.reason === 'failed')
      onProblems([{ line: 0, message: error.reason === 'slow' ? SLOW : FAILED, isType: true }]);
    return [];
  }
}

async function completions(context: CompletionContext, thread: TypeThread): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w$]+/);
  const isMember = context.matchBefore(/\.\s*[\w$]*$/) !== null;
  if (!context.explicit && word === null && !isMember) return null;
  const code = context.state.doc.toString();
  const at = context.pos;
  const found = await thread.ask({ kind: 'complete', code, at }).catch(() => []);
  return {
    from: word?.from ?? at,
    options: found.map(
      ({ name, kind, rank }): Completion => ({
        label: name,
        type: kind,
        boost: -rank,
        info: async () => {
          const info = await thread.ask({ kind: 'inform', code, at, name }).catch(() => undefined);
          return info === undefined ? null : infoElement(info.text, info.about);
        },
      }),
    ),
    validFor: /^[\w$]*$/,
  };
}

async function declaration(view: EditorView, at: number, thread: TypeThread): Promise<Tooltip | null> {
  const info = await thread.ask({ kind: 'inform', code: view.state.doc.toString(), at }).catch(() => undefined);
  if (info === undefined || info.text === 'this: this') return null;
  return { pos: info.from, end: info.to, above: true, create: () => ({ dom: infoElement(info.text, info.about) }) };
}

function infoElement(text: string, about: string): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-type-info';
  const code = box.appendChild(document.createElement('code'));
  code.textContent = text;
  if (about !== '') box.appendChild(document.createElement('p')).textContent = about;
  return box;
}
