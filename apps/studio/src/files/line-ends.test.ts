import { describe, expect, it } from 'vitest';
import { editorText } from './line-ends.ts';
import { isEditable } from './paths.ts';

describe('the text of a file in an editor', () => {
  it.each([['a\nb\n'], ['a\r\nb\r\n'], ['no line end'], [''], ['\uFEFFwith a mark\r\n']])(
    'is stored as it was: %j',
    (content) => {
      const { text, stored } = editorText(content);
      expect(text).not.toContain('\r');
      expect(stored(text)).toBe(content);
    },
  );

  it('takes the line ends that most lines have', () => {
    expect(editorText('a\r\nb\r\nc\n').stored('x\ny\n')).toBe('x\r\ny\r\n');
    expect(editorText('a\r\nb\nc\n').stored('x\ny\n')).toBe('x\ny\n');
  });
});

describe('editing is offered', () => {
  const file = { name: 'notes.md', type: 'file', size: 10 } as const;
  it('for texts up to 1 MiB that the user may change', () => {
    expect(isEditable(file)).toBe(true);
    expect(isEditable({ ...file, name: 'Makefile', size: 1024 * 1024 })).toBe(true);
    expect(isEditable({ ...file, size: 1024 * 1024 + 1 })).toBe(false);
    expect(isEditable({ ...file, isFixed: true })).toBe(false);
    expect(isEditable({ ...file, type: 'dir' })).toBe(false);
    for (const name of ['a.png', 'a.pdf', 'a.mp3', 'A.DOCX']) expect(isEditable({ ...file, name })).toBe(false);
  });
});
