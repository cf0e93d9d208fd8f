import { expect, it } from 'vitest';
import { createKnownBrowsers } from './known-browsers.ts';

const NEW = 'the key this server has from now on';

it('does not take a known browser for one of another account, however its id is written', () => {
  const known = createKnownBrowsers([NEW]);
  const [id, signature] = known.issue('evil ada@localhost').split('.');
  expect(known.find(`${id}.${signature}`, 'evil ada@localhost')).toBe(id);
  expect(known.find(`${id}.${signature}`, 'ada@localhost')).toBeUndefined();
  expect(known.find(`${id} evil.${signature}`, 'ada@localhost')).toBeUndefined();
});

it('knows a browser by a cookie of every key, and by nothing that was made up', () => {
  const mark = createKnownBrowsers(['older']).issue('ada');
  const [id = '', signature = ''] = mark.split('.');
  expect(createKnownBrowsers([NEW, 'older']).find(mark, 'ada')).toBe(id);
  expect(createKnownBrowsers([NEW]).find(mark, 'ada')).toBeUndefined();
  const known = createKnownBrowsers(['older']);
  for (const value of [
    undefined,
    '',
    id,
    `${id}.`,
    `.${signature}`,
    `${mark}.x`,
    `${id}x.${signature}`,
    `${id}.${signature}x`,
  ])
    expect(known.find(value, 'ada'), value).toBeUndefined();
  expect(known.issue('ada')).not.toBe(mark);
});
