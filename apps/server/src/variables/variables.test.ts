import { describe, expect, it } from 'vitest';
import { createSealer } from '@croft/runs/sealer';
import { eq, sql } from 'drizzle-orm';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import type { SecretKeys } from '../secret-key.ts';
import { variable } from '../store/schema.ts';
import { sealingKeys } from './sealing-keys.ts';
import { createVariables, MAX_VARIABLES } from './variables.ts';

const OLD = 'the key this server had before, 32+';
const NEW = 'the key this server has from now on';
const SECRET = 'canary-of-a-variable';

let opened: TestDatabase;
useTestDatabase((started) => void (opened = started), ['ada', 'ben', 'cleo', 'dan']);

const withKeys = (...keys: SecretKeys) =>
  createVariables(async () => opened.database.db, createSealer(sealingKeys(keys, 'variables')));
const secret = (name: string, value = SECRET) => ({ name, kind: 'credential' as const, value, hosts: ['api.example'] });

describe('a variable', () => {
  it('is stored encrypted and opens for its owner', async () => {
    const variables = withKeys(NEW);
    await variables.set('ada', secret('API_TOKEN'));
    expect(await variables.open('ada')).toEqual([secret('API_TOKEN')]);
    expect(await variables.open('ben')).toEqual([]);
    const rows = await opened.database.db.select().from(variable);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    expect(Buffer.from(rows[0]?.sealed.split('.')[1] ?? '', 'base64').toString('latin1')).not.toContain(SECRET);
    expect(await variables.remove('ben', 'API_TOKEN')).toBe(false);
    expect(await variables.remove('ada', 'API_TOKEN')).toBe(true);
  });

  it('does not open for another user, name or list of hosts', async () => {
    const variables = withKeys(NEW);
    await variables.set('ada', secret('API_TOKEN'));
    const [row] = await opened.database.db.select().from(variable).where(eq(variable.userId, 'ada'));
    const copies = [
      { ...row, userId: 'ben' },
      { ...row, name: 'PLAIN' },
      { ...row, name: 'ELSEWHERE', hosts: ['evil.example'] },
    ];
    for (const copy of copies) await opened.database.db.insert(variable).values(copy as typeof variable.$inferInsert);
    expect(await variables.open('ben')).toEqual([]);
    expect((await variables.open('ada')).map(({ name }) => name)).toEqual(['API_TOKEN']);
    expect((await variables.list('ada')).map(({ name, failure }) => [name, failure === null])).toEqual([
      ['API_TOKEN', true],
      ['ELSEWHERE', false],
      ['PLAIN', false],
    ]);
    for (const { name } of copies as { name: string }[]) await variables.remove('ada', name);
    await variables.remove('ben', 'API_TOKEN');
  });

  it('is encrypted with the new key after a rotation, so that the old key can be removed', async () => {
    const before = withKeys(OLD);
    const names = Array.from({ length: 150 }, (_, at) => `V${at}`);
    // More rows than one page has, over two users.
    for (const owner of ['cleo', 'dan'])
      for (const name of names) await before.set(owner, secret(name, `${owner} ${name}`));
    expect(await withKeys(NEW).open('cleo')).toEqual([]);
    expect(await withKeys(NEW, OLD).reseal()).toEqual({ resealed: 300, lost: 0 });
    expect(await withKeys(NEW, OLD).reseal()).toEqual({ resealed: 0, lost: 0 });
    const after = withKeys(NEW);
    expect((await after.open('dan')).find(({ name }) => name === 'V7')?.value).toBe('dan V7');
    expect((await after.list('cleo')).every(({ failure }) => failure === null)).toBe(true);
  });

  it('whose key is lost is reported by name, and can be set again', async () => {
    await withKeys(OLD).set('ben', secret('LOST'));
    const variables = withKeys(NEW);
    await variables.set('ben', secret('KEPT'));
    expect(await variables.reseal()).toEqual({ resealed: 0, lost: 1 });
    expect(await variables.list('ben')).toMatchObject([
      { name: 'KEPT', failure: null },
      { name: 'LOST', failure: expect.stringContaining('set the value again') },
    ]);
    expect((await variables.open('ben')).map(({ name }) => name)).toEqual(['KEPT']);
    await variables.set('ben', secret('LOST'));
    expect((await variables.list('ben')).map(({ failure }) => failure)).toEqual([null, null]);
  });

  it('is limited in number for each user', async () => {
    const variables = withKeys(NEW);
    const held = (await variables.list('cleo')).length;
    for (let at = held; at < MAX_VARIABLES; at++) await variables.set('cleo', secret(`W${at}`));
    await expect(variables.set('cleo', secret('ONE_MORE'))).rejects.toMatchObject({ code: 'quota_exceeded' });
    await variables.set('cleo', secret('V1', 'changed'));
    expect((await variables.open('cleo')).find(({ name }) => name === 'V1')?.value).toBe('changed');

    // Both requests have counted the variables before one of them adds its own.
    await variables.remove('cleo', 'V1');
    let both: Promise<unknown>[] = [];
    await opened.database.db.transaction(async (tx) => {
      await tx.execute(sql`LOCK TABLE ${variable} IN SHARE MODE`);
      both = ['ONE', 'TWO'].map((name) => variables.set('cleo', secret(name)));
      const waiting = sql`SELECT FROM pg_locks WHERE NOT granted`;
      await expect.poll(async () => (await tx.execute(waiting)).rowCount).toBe(2);
    });
    expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await variables.list('cleo')).toHaveLength(MAX_VARIABLES);
  });
});
