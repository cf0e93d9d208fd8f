import type { EditorView } from '@codemirror/view';

/** CodeMirror's own two seconds are too short for slow fingers and for screen readers. */
const RELEASED_MS = 60_000;
const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock']);

/**
 * Lets Tab leave an editor after Escape, until another key is pressed or the focus leaves. The first Escape does not close the
 * dialog around the editor; the next one in a row does. Call it after CodeMirror added its listeners: CodeMirror ignores
 * an event whose default is prevented.
 */
export function releaseTab(view: Pick<EditorView, 'contentDOM' | 'setTabFocusMode'>): void {
  let isReleased = false;
  view.contentDOM.addEventListener('keydown', (event) => {
    if (event.isComposing || MODIFIERS.has(event.key)) return;
    const isEscape = event.key === 'Escape';
    if (isEscape && !isReleased) event.preventDefault();
    if (isEscape) view.setTabFocusMode(RELEASED_MS);
    isReleased = isEscape;
  });
  view.contentDOM.addEventListener('blur', () => {
    isReleased = false;
    view.setTabFocusMode(false);
  });
}
