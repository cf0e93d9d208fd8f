import { expect, it } from 'vitest';
import { whyNotEditable } from './why-not-editable.ts';

it('says why the code of a component cannot be edited, by its strongest effect', () => {
  const why = (...effects: Parameters<typeof whyNotEditable>[0]['effects'][number][]) => whyNotEditable({ effects });
  expect(why('workspace-read', 'model')).toMatch(/^It uses files/);
  expect(why('network-read')).toMatch(/^It sends requests/);
  expect(why('model')).toMatch(/^It asks language models/);
  expect(why('code')).toMatch(/^Its code is the value/);
  expect(why('none')).toMatch(/^It uses a library or a service/);
});
