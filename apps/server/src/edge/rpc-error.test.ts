import { expect, it } from 'vitest';
import { rpcError } from './rpc-error.ts';

it('is a JSON-RPC error that belongs to no request', () => {
  expect(rpcError('no')).toEqual({ jsonrpc: '2.0', error: { code: -32_000, message: 'no' }, id: null });
});
