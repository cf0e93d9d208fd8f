import { expect, it } from 'vitest';
import { BodyReader, type ReadBody } from './read-body.ts';

const MIB = 1024 * 1024;

/** A request whose body has two parts; the second is sent on demand. */
function slowRequest(bytes: number) {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (isFirst) controller.enqueue(Buffer.alloc(bytes, '1'));
      else {
        await held;
        controller.close();
      }
      isFirst = false;
    },
  });
  const request = new Request('http://localhost/mcp', { method: 'POST', body, duplex: 'half' } as RequestInit);
  return { request, release };
}

const answer = async (body: ReadBody): Promise<Response> =>
  'refused' in body ? body.refused : Response.json({ ok: true });

it('refuses a large body with 503 while others use the memory, and accepts it afterwards', async () => {
  const bodies = new BodyReader(4 * MIB);
  const first = slowRequest(2 * MIB);
  const answered = bodies.read(first.request, 'alice', answer);
  const refused = await bodies.read(slowRequest(3 * MIB).request, 'bob', answer);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  first.release();
  expect((await answered).status).toBe(200);
  const next = slowRequest(2 * MIB);
  next.release();
  expect((await bodies.read(next.request, 'bob', answer)).status).toBe(200);
});

it('keeps half of the memory for other callers while the bodies of one do not end', async () => {
  const bodies = new BodyReader(6 * MIB);
  const first = slowRequest(2 * MIB);
  const held = bodies.read(first.request, 'alice', answer);
  expect((await bodies.read(slowRequest(2 * MIB).request, 'alice', answer)).status).toBe(503);
  const other = slowRequest(2 * MIB);
  other.release();
  expect((await bodies.read(other.request, 'bob', answer)).status).toBe(200);
  first.release();
  expect((await held).status).toBe(200);
});

it('releases the memory of a body when its request is aborted', async () => {
  const bodies = new BodyReader(5 * MIB);
  for (let i = 0; i < 3; i++) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.alloc(2 * MIB, '1')),
      pull: (controller) => controller.error(new Error('gone')),
    });
    const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect((await bodies.read(request, 'alice', answer)).status).toBe(400);
  }
});

it('leaves small bodies of known size to the protocol layer', () => {
  const bodies = new BodyReader();
  const post = (headers: Record<string, string>) =>
    bodies.takes(new Request('http://localhost/', { method: 'POST', body: '{}', headers }));
  expect(post({ 'content-length': '2' })).toBe(false);
  expect(post({ 'content-length': String(2 * MIB) })).toBe(true);
  expect(post({ 'content-length': String(100 * 1024) })).toBe(true);
  expect(post({})).toBe(true);
  expect(bodies.takes(new Request('http://localhost/'))).toBe(false);
});

it('refuses values nested so deeply that parsing them would hold the server', async () => {
  const send = (levels: number) => {
    const body = `${'['.repeat(levels)}"${'x'.repeat(200 * 1024)}"${']'.repeat(levels)}`;
    return new BodyReader().read(new Request('http://localhost/', { method: 'POST', body }), 'alice', answer);
  };
  expect((await send(1_000)).status).toBe(200);
  expect((await send(1_001)).status).toBe(413);
});

const post = (body: NonNullable<RequestInit['body']>) => new Request('http://localhost/', { method: 'POST', body });
const served = async (body: NonNullable<RequestInit['body']>) => {
  let parsed: unknown;
  const response = await new BodyReader().read(post(body), 'alice', async (read) => {
    if ('refused' in read) return read.refused;
    ({ parsed } = read);
    return new Response('served', { status: 201 });
  });
  return [response.status, response.status === 201 ? parsed : await response.json()];
};
const refusal = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null });

it('hands the parsed body on, or says why it is refused', async () => {
  expect(await served('{"a":["ü"]}')).toEqual([201, { a: ['ü'] }]);
  expect(await served('{"a"')).toEqual([400, refusal(-32_700, 'The body is not JSON')]);
  const tooMany = refusal(
    -32_000,
    'Request has more than 1000000 values, or more than 1000 levels. Send less at once.',
  );
  expect(await served('['.repeat(1_001))).toEqual([413, tooMany]);
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  const request = new Request('http://localhost/', { method: 'POST', body: broken, duplex: 'half' } as RequestInit);
  const response = await new BodyReader().read(request, 'alice', answer);
  expect([response.status, await response.json()]).toEqual([400, refusal(-32_000, 'The body could not be read')]);
});

it('says that it is full, and passes a failure of the server on', async () => {
  const full = await new BodyReader(10).read(post('"12345"'), 'alice', answer);
  expect([full.status, await full.json()]).toEqual([
    503,
    refusal(-32_000, 'The server is reading too many large requests. Try again in a moment.'),
  ]);
  const exact = new BodyReader(10);
  expect((await exact.read(post('"123"'), 'alice', answer)).status).toBe(200);
  const failing = exact.read(post('"123"'), 'alice', async () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  expect((await exact.read(post('"123"'), 'alice', answer)).status).toBe(200);
});

it('takes bodies above 64 KiB', () => {
  const takes = (length: number, method = 'POST') =>
    new BodyReader().takes(
      new Request('http://localhost/', { method, body: '{}', headers: { 'content-length': `${length}` } }),
    );
  expect([takes(65_536), takes(65_537), takes(65_537, 'PUT')]).toEqual([false, true, false]);
});
