import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { apiQuery } from '../api/api.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, type, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { acceptanceQuery } from './use-acceptance.ts';
import type { Schedule } from './use-schedules.ts';

const server = useFakeApi();
const page = usePage();
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
const ROUTE = 'POST /api/v1/flows/f/schedules';
const SCHEDULES = apiQuery('GET /api/v1/schedules').queryKey;
const ACCEPTANCE = acceptanceQuery('f').queryKey;

async function open(schedule?: object) {
  const onClose = vi.fn();
  const props = { flowId: 'f', version: 7, onClose, schedule: schedule as Schedule | undefined };
  const client = testClient();
  for (const key of [SCHEDULES, ACCEPTANCE]) client.setQueryData(key, {} as never);
  const box = await page.show(inClient(client)(createElement(ScheduleDialog, props)));
  const selects = () => [...box.querySelectorAll('select')] as HTMLSelectElement[];
  const select = (at: number) => selects().at(at) as HTMLSelectElement;
  const submit = () => fire(box.querySelector('form') as Element, 'submit');
  const sent = () => JSON.parse((server.requests[0] ?? '').slice(ROUTE.length)) as Record<string, unknown>;
  const areOutdated = () => [SCHEDULES, ACCEPTANCE].map((key) => isInvalid(client, key));
  return { box, onClose, select, submit, sent, areOutdated };
}

it('adds every day at nine, leaving out what was missed or would overlap, at the version that is shown', async () => {
  const { onClose, submit, sent, areOutdated } = await open();
  server.answer(ROUTE, {});
  expect(areOutdated()).toEqual([false, false]);
  await submit();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  await vi.waitFor(() => expect(areOutdated()).toEqual([true, true]));
  expect(sent()).toEqual({
    cron: '0 9 * * *',
    timeZone: ownZone(),
    missed: 'skip',
    overlap: 'skip',
    version: 7,
  });
});

it('adds the times, zone and rules that are chosen', async () => {
  const { box, select, submit, sent } = await open();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 New schedule',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'label[for=#2] How often',
      'select#2[data-first=true][value=day]',
      'option Every few minutes',
      'option Every hour',
      'option[selected] Every day',
      'option Monday to Friday',
      'option Every week',
      'option Every month',
      'option Other, as a cron expression',
      'p#2-error[role=alert]',
      'label[for=#3] Time',
      'input#3[type=time][required][autoComplete=off][value=09:00]',
      'p#3-error[role=alert]',
      'label[for=#4] Time zone',
      `input#4[spellCheck=false][required][autoComplete=off][value=${ownZone()}]`,
      'p#4-error[role=alert]',
      'label[for=#5] If the server was off at a time',
      'select#5[value=skip]',
      'option[selected] Skip the run',
      'option Run once when it is back',
      'p#5-error[role=alert]',
      'label[for=#6] If the run before has not ended',
      'select#6[value=skip]',
      'option[selected] Skip the run',
      'option Start another run beside it',
      'p#6-error[role=alert]',
      'button[type=submit]',
      'span Add schedule',
      'button[type=button]',
      'span Cancel',
    ]);
  await choose(select(0), 'other');
  const [cron, zone] = [...box.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
  await type(cron, '5 4 * * *');
  await type(zone, 'Europe/Berlin');
  await choose(select(-2), 'once');
  await choose(select(-1), 'start');
  await submit();
  expect(sent()).toEqual({
    cron: '5 4 * * *',
    timeZone: 'Europe/Berlin',
    missed: 'once',
    overlap: 'start',
    version: 7,
  });
});

it('adds offered times', async () => {
  const { box, select, submit, sent } = await open();
  await choose(select(0), 'week');
  await choose(select(1), '5');
  await type(box.querySelector('input[type=time]') as HTMLInputElement, '17:30');
  await submit();
  expect(sent()['cron']).toBe('30 17 * * 5');
});

it('says why a schedule was not added', async () => {
  const { box, onClose, submit, areOutdated } = await open();
  server.answer(ROUTE, refusal(422, 'invalid', 'The zone is not known.'));
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('The schedule was not added. The zone is not known.'));
  expect([onClose.mock.calls, areOutdated()]).toEqual([[], [true, true]]);
});

it('changes a schedule, and says why it was not changed', async () => {
  const schedule = { id: 's1', cron: '5 4 * * *', timeZone: 'Asia/Tokyo', missed: 'once', overlap: 'start' };
  const { box, onClose, submit } = await open(schedule);
  await expect
    .poll(() => outline(box).filter((line) => line.includes('[value=')))
    .toEqual([
      'select#2[data-first=true][value=day]',
      'input#3[type=time][required][autoComplete=off][value=04:05]',
      'input#4[spellCheck=false][required][autoComplete=off][value=Asia/Tokyo]',
      'select#5[value=once]',
      'select#6[value=start]',
    ]);
  expect([box.querySelector('h2')?.textContent, box.querySelector('[type=submit]')?.textContent]).toEqual([
    'Change the schedule',
    'Save changes',
  ]);
  server.answer('PATCH /api/v1/schedules/s1', refusal(422, 'invalid', 'No.'));
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('The schedule was not changed. No.'));
  expect(server.requests).toEqual([
    'PATCH /api/v1/schedules/s1 {"cron":"5 4 * * *","timeZone":"Asia/Tokyo","missed":"once","overlap":"start","version":7}',
  ]);
  await fire(named(box, 'Cancel'), 'click');
  await fire(named(box, 'Close'), 'click');
  expect(onClose).toHaveBeenCalledTimes(2);
});

it('sends a schedule once, also where it is submitted twice', async () => {
  const { box, submit } = await open();
  server.answer(ROUTE, () => new Promise(() => undefined));
  await submit();
  await vi.waitFor(() => expect(box.querySelector('[type=submit]')?.getAttribute('aria-busy')).toBe('true'));
  await submit();
  expect(server.requests).toHaveLength(1);
});
