import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { releaseTab } from './release-tab.ts';

/** A problem at a line of the code, counted from 1. */
export interface CodeProblem {
  readonly line: number;
  readonly message: string;
  /** Of the types of the code, which may still run. */
  readonly isType?: true;
}

export interface CodeViewOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly language: string | undefined;
  /** The name for screen readers. */
  readonly label: string;
  readonly isReadOnly: boolean;
  /** More than all editors have. */
  readonly extension: Extension;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
}

/** An editor in the page. */
export interface CodeView {
  /** Replaces the text, for a change that was not typed here. */
  setText(text: string): void;
  setProblems(problems: readonly CodeProblem[]): void;
  /** Moves the cursor to a line, and the focus into the editor. */
  goTo(line: number): void;
  focus(): void;
  destroy(): void;
}

/**
 * Creates an editor inside of `parent`. It lives in a shadow root: there CodeMirror sets its styles with constructed style
 * sheets, and not with a style element, which the Content-Security-Policy refuses.
 */
export function createCodeView({
  parent,
  text,
  language,
  label,
  isReadOnly,
  extension,
  onChange,
  onBlur,
}: CodeViewOptions): CodeView {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  const editable = new Compartment();
  let isOwn = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        languageOf(language),
        syntaxHighlighting(COLORS),
        LOOK,
        marks,
        extension,
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.lineWrapping,
        // Long code scrolls by keyboard, also where it cannot be edited.
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        editable.of([EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)]),
        EditorView.domEventHandlers({
          blur: () => onBlur(),
          // Shortcuts of the page must not see keys that edit code.
          keydown: (event) => {
            event.stopPropagation();
            return false;
          },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOwn) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  if (!isReadOnly) releaseTab(view);
  return {
    setText(next) {
      if (next === view.state.doc.toString()) return;
      isOwn = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      isOwn = false;
    },
    setProblems: (problems) => view.dispatch({ effects: showProblems.of(problems) }),
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function languageOf(language: string | undefined): Extension {
  if (language === 'typescript') return javascript({ typescript: true });
  return language === 'json' ? json() : [];
}

const showProblems = StateEffect.define<readonly CodeProblem[]>();
const problemLine = Decoration.line({ class: 'cm-problem' });
const typeLine = Decoration.line({ class: 'cm-type-problem' });

/** Marks the lines of problems; the marks move with the text. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, state }) {
    const [effect] = effects.filter((each) => each.is(showProblems));
    if (effect === undefined) return before.map(changes);
    const shown = effect.value.filter(({ line }) => line >= 1 && line <= state.doc.lines);
    // The last mark of a line stays: a type does not hide a problem of running it.
    const byLine = new Map(
      shown.toSorted((a, b) => Number(b.isType === true) - Number(a.isType === true)).map((each) => [each.line, each]),
    );
    const mark = ({ line, isType }: CodeProblem) =>
      (isType === true ? typeLine : problemLine).range(state.doc.line(line).from);
    return Decoration.set([...byLine.values()].map(mark), true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const LOOK = EditorView.theme({
  '&': { color: 'var(--color-ink)', backgroundColor: 'var(--color-surface)', fontSize: '0.8125rem', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--color-accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--color-ink)', padding: '0.5rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-sunken)',
    color: 'var(--color-soft)',
    borderRight: '1px solid var(--color-line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--color-accent) 7%, transparent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'light-dark(#bfe3d0, #2f5c46)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--color-edge)',
  },
  '.cm-problem': { backgroundColor: 'var(--color-bad-soft)', boxShadow: 'inset 3px 0 var(--color-bad)' },
  '.cm-type-problem': { backgroundColor: 'var(--color-warn-soft)', boxShadow: 'inset 3px 0 var(--color-warn)' },
});

const COLORS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--color-port-model)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--color-warn)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-port-message)' },
  { tag: [tags.comment], color: 'var(--color-soft)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.className, tags.propertyName], color: 'var(--color-accent-strong)' },
]);
