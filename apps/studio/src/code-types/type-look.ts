import { EditorView } from '@codemirror/view';

/** Underlines and boxes beside the code, in the colours of the page. The editor has neither a light nor a dark theme. */
export const TYPE_LOOK = EditorView.theme({
  '.cm-lintRange.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--color-warn)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint.cm-lintPoint-warning:after': { borderBottomColor: 'var(--color-warn)' },
  '.cm-lintRange-active': { backgroundColor: 'transparent' },
  '.cm-tooltip.cm-tooltip': {
    maxWidth: 'min(28rem, 92vw)',
    color: 'var(--color-ink)',
    backgroundColor: 'var(--color-raised)',
    border: '1px solid var(--color-edge)',
    borderRadius: '0.375rem',
    boxShadow: '0 4px 16px rgb(0 0 0 / 18%)',
    overflowWrap: 'anywhere',
    overflow: 'hidden',
  },
  '.cm-tooltip .cm-tooltip-section:not(:first-child)': { borderTop: '1px solid var(--color-line)' },
  '.cm-diagnostic.cm-diagnostic-warning': { borderLeft: '3px solid var(--color-warn)', padding: '0.375rem 0.625rem' },
  '.cm-diagnosticSource.cm-diagnosticSource': { color: 'var(--color-soft)', fontSize: '0.75rem', opacity: '1' },
  '.cm-type-info': { padding: '0.375rem 0.625rem', whiteSpace: 'pre-wrap', maxHeight: '12rem', overflowY: 'auto' },
  '.cm-type-info code': { fontFamily: 'var(--font-mono)' },
  '.cm-type-info p': { margin: '0.25rem 0 0', color: 'var(--color-soft)' },
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.125rem 0.5rem', lineHeight: '1.4' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--color-ink)',
    backgroundColor: 'var(--color-selected)',
  },
  '.cm-completionDetail': { color: 'var(--color-soft)', fontStyle: 'normal' },
  '.cm-tooltip.cm-completionInfo': { padding: '0', width: 'max-content', maxWidth: 'min(24rem, 92vw)' },
});
