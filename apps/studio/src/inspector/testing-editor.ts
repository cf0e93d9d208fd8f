import { type ComponentProps, createElement } from 'react';
import type { CodeEditor as RealEditor } from './code-editor.tsx';

type EditorProps = ComponentProps<typeof RealEditor>;

/**
 * In place of the editor, which needs layout: an input with the same text, and the problems beside it. All tests outside of a browser
 * have it by vitest.config.ts: they share loaded modules, so a test must not have another editor than the one before it.
 */
export function CodeEditor(props: EditorProps) {
  const { text, onText, onBlur, label, language, problems, isReadOnly, isTall, checksTypes, isFirst } = props;
  return [
    createElement('input', {
      key: 'field',
      type: 'text',
      'aria-label': label,
      'data-language': language,
      'data-tall': `${isTall}`,
      'data-focused': isFirst === true ? true : undefined,
      'data-types': `${checksTypes === true}`,
      disabled: isReadOnly,
      value: text,
      onChange: ({ target }: { target: HTMLInputElement }) => onText(target.value),
      onBlur,
    }),
    createElement('output', { key: 'problems' }, problems.map(({ line, message }) => `${line}: ${message}`).join('\n')),
  ];
}
