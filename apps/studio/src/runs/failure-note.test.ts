import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FailureNote } from './failure-note.tsx';

const show = (failure: object, isOutdated = false) =>
  renderToStaticMarkup(
    createElement(FailureNote, {
      failure: { message: 'no key', ...failure } as never,
      titleOf: (id) => `Title ${id}`,
      isOutdated,
      action: 'Do it',
    }),
  );

it('says what failed, where, and what to do', () => {
  const html = show({ node: 'n', field: 'url', fix: 'set one' });
  expect(html).toMatch(/role="alert".*Title n · url.*no key\..*set one\..*Do it/i);
  expect(show({})).not.toContain('Title');
  expect(show({ node: 'n' })).not.toContain('·');
});

it('says that the component changed since, and alerts no more', () => {
  expect(show({ node: 'n' }, true)).toContain('Before the change:');
  expect(show({ node: 'n' }, true)).not.toContain('role="alert"');
  expect(show({ node: 'n' })).not.toContain('Before the change:');
});
