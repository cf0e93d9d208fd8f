import { QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { type Me, meQuery } from './api/me.ts';
import { ApiError } from './api/request.ts';
import { createQueryClient, forgetAllButMe } from './query-client.ts';

/** A cache in which the server says in turn that these users are signed in. */
function cacheOf(...ids: (string | undefined)[]) {
  const client = createQueryClient();
  const load = async () => {
    const id = ids.shift();
    const me = { user: id === undefined ? null : { id } } as unknown as Me;
    await client.fetchQuery({ ...meQuery, staleTime: 0, queryFn: () => me });
  };
  client.setQueryData(['flows'], 'of the first user');
  return { client, load };
}

it('removes what it has of a user as soon as the server names another one', async () => {
  const { client, load } = cacheOf('ann', 'ben');
  await load();
  expect(client.getQueryData(['flows'])).toBe('of the first user');
  await load();
  expect(client.getQueryData(['flows'])).toBeUndefined();
  expect(client.getQueryData(meQuery.queryKey)?.user?.id).toBe('ben');
});

it('keeps it for the same user after the session ended, and not for another one', async () => {
  const { client, load } = cacheOf('ann', undefined, 'ann', undefined, 'ben');
  for (let times = 0; times < 4; times++) await load();
  expect(client.getQueryData(['flows'])).toBe('of the first user');
  await load();
  expect(client.getQueryData(['flows'])).toBeUndefined();
});

it('loads a list again that changed while it was loaded for the first time', async () => {
  const client = createQueryClient();
  const answers: ((list: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve));
  const leave = new QueryObserver(client, { queryKey: ['files', 'list'], queryFn }).subscribe(() => undefined);
  const hidden = client.prefetchQuery({ queryKey: ['files', 'usage'], queryFn });
  const refreshed = client.invalidateQueries({ queryKey: ['files'] });
  answers[0]?.('before the change');
  answers[1]?.('before the change');
  await hidden;
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  answers[2]?.('after the change');
  await refreshed;
  expect(client.getQueryData(['files', 'list'])).toBe('after the change');
  expect(client.getQueryState(['files', 'usage'])?.isInvalidated).toBe(true);
  leave();
});

it('lets a slow list load where changes are announced more often than it is answered, and loads it once more', async () => {
  const client = createQueryClient();
  const answers: ((list: string) => void)[] = [];
  const aborted: boolean[] = [];
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<string>((resolve) => {
      answers.push(resolve);
      signal.addEventListener('abort', () => aborted.push(true));
    });
  const queryKey = ['files', 'list'];
  client.setQueryData(queryKey, 'empty');
  const leave = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
  const announced = [1, 2, 3].map(() => client.invalidateQueries({ queryKey }, { cancelRefetch: false }));
  answers[0]?.('one file');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  expect(client.getQueryData(queryKey)).toBe('one file');
  answers[1]?.('three files');
  await Promise.all(announced);
  expect([client.getQueryData(queryKey), answers.length, aborted]).toEqual(['three files', 2, []]);
  leave();
});

it('loads the user again where a response says that the session ended', async () => {
  const fails = async (error: unknown) => {
    const client = createQueryClient();
    client.setQueryData(meQuery.queryKey, { user: { id: 'ann' } } as unknown as Me);
    const options = { queryKey: ['x'], queryFn: () => Promise.reject(error as Error), retry: false };
    await client.fetchQuery(options).catch(() => undefined);
    const byQuery = client.getQueryState(meQuery.queryKey)?.isInvalidated;
    client.setQueryData(meQuery.queryKey, { user: { id: 'ann' } } as unknown as Me);
    const mutation = client.getMutationCache().build(client, { mutationFn: () => Promise.reject(error as Error) });
    await mutation.execute(undefined).catch(() => undefined);
    return [byQuery, client.getQueryState(meQuery.queryKey)?.isInvalidated];
  };
  const refused = (status: number, code: string) => Object.assign(Object.create(ApiError.prototype), { status, code });
  expect(await fails(refused(401, 'unauthorized'))).toEqual([true, true]);
  expect(await fails(refused(401, 'wrong_credentials'))).toEqual([false, false]);
  expect(await fails(refused(403, 'forbidden'))).toEqual([false, false]);
  expect(await fails(new Error('x'))).toEqual([false, false]);
});

it('repeats a request once after half a second, unless the server refuses it', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  const retry = queries?.retry as (count: number, error: unknown) => boolean;
  const refused = (status: number) => Object.assign(Object.create(ApiError.prototype), { status });
  expect([retry(0, new Error('x')), retry(1, new Error('x'))]).toEqual([true, false]);
  expect([399, 400, 499, 500].map((status) => retry(0, refused(status)))).toEqual([true, false, false, true]);
  expect({ ...queries, retry: undefined }).toEqual({
    networkMode: 'always',
    staleTime: 10_000,
    gcTime: 86_400_000,
    retryDelay: 500,
  });
  expect(mutations).toEqual({ networkMode: 'always' });
});

it('forgets all but the user', () => {
  const client = createQueryClient();
  client.setQueryData(meQuery.queryKey, { user: null } as unknown as Me);
  client.setQueryData(['flows'], []);
  forgetAllButMe(client);
  expect(
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey),
  ).toEqual([meQuery.queryKey]);
});
