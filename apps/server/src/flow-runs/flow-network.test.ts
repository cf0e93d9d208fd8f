import { expect, it } from 'vitest';
import { flowFetch, type FlowNetworkSettings, refuseFlowNetwork } from './flow-network.ts';

const settings = (over: Partial<FlowNetworkSettings> = {}) =>
  ({ flowHosts: [], flowProxy: 'on', ...over }) as unknown as FlowNetworkSettings;

it('reaches no private address that the operator did not allow', async () => {
  await expect(flowFetch(settings())('http://127.0.0.1:1/')).rejects.toMatchObject({ name: 'NetworkError' });
  const refusal = await flowFetch(settings())('http://127.0.0.1:1/').catch((error: Error) => error.message);
  const allowed = await flowFetch(settings({ flowHosts: ['127.0.0.1:1'] }))('http://127.0.0.1:1/').catch(
    (error: Error) => error.message,
  );
  expect(allowed).not.toBe(refusal);
});

it('says which setting cannot be used', () => {
  expect(() => refuseFlowNetwork(settings())).not.toThrow();
  expect(() => refuseFlowNetwork(settings({ flowHosts: ['http://[broken'] }))).toThrow(/^CROFT_FLOW_HOSTS: /);
  const wrong = { httpsProxy: 'socks5://proxy.test:1' };
  expect(() => refuseFlowNetwork(settings(wrong))).toThrow(/^HTTPS_PROXY or HTTP_PROXY: .*CROFT_FLOW_PROXY=off/);
  expect(() => refuseFlowNetwork(settings({ httpProxy: 'socks5://proxy.test:1' }))).toThrow(
    /^HTTPS_PROXY or HTTP_PROXY/,
  );
  expect(() => refuseFlowNetwork(settings({ ...wrong, flowProxy: 'off' }))).not.toThrow();
});
