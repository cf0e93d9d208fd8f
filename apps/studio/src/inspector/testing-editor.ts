import { type ComponentProps, createElement } from 'react';
import type { CodeEditor } from './code-editor.tsx';

type EditorProps = ComponentProps<typeof CodeEditor>;

/** In place of the module of the editor, which needs layout: an input with the same text, and the problems beside it. */
export const FIELD_EDITOR = {
  CodeEditor: ({ text, onText, onBlur, label, language, problems, isReadOnly, isTall, checksTypes }: EditorProps) => [
    createElement('input', {
      key: 'field',
      type: 'text',
      'aria-label': label,
      'data-language': language,
      'data-tall': `${isTall}`,
      'data-types': `${checksTypes === true}`,
      disabled: isReadOnly,
      value: text,
      onChange: ({ target }: { target: HTMLInputElement }) => onText(target.value),
      onBlur,
    }),
    createElement('output', { key: 'problems' }, problems.map(({ line, message }) => `${line}: ${message}`).join('\n')),
  ],
};
