import { request as requestOverHttp } from 'node:http';
import { request as requestOverHttps } from 'node:https';
import type { Socket } from 'node:net';
import { NetworkError } from './network-error.ts';

/**
 * Opens a connection to `host:port` through a proxy with CONNECT, for `http:` addresses too: the proxy sees neither path nor
 * headers of a request.
 *
 * @throws NetworkError, without the address and password of the proxy
 */
export function openTunnel(proxy: URL, target: string, timeoutMs: number): Promise<Socket> {
  const { hostname, port, protocol, username, password } = proxy;
  const send = protocol === 'https:' ? requestOverHttps : requestOverHttp;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return new Promise((resolve, reject) => {
    const call = send({
      method: 'CONNECT',
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || (protocol === 'https:' ? 443 : 80),
      path: target,
      agent: false,
      headers: { host: target, ...(username !== '' && { 'proxy-authorization': `Basic ${login}` }) },
    });
    const timer = setTimeout(() => call.destroy(new Error('late')), timeoutMs);
    call.once('connect', ({ statusCode = 0 }, socket, head) => {
      clearTimeout(timer);
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(refused(statusCode));
    });
    call.once('error', () => {
      clearTimeout(timer);
      reject(
        new NetworkError(
          'unreachable',
          'The proxy could not be reached.',
          'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
        ),
      );
    });
    call.end();
  });
}

function refused(status: number): NetworkError {
  const fix =
    status === 407
      ? 'Put a user name and a password into HTTPS_PROXY and HTTP_PROXY.'
      : status === 403 || status === 405
        ? 'Allow the host there, name it in NO_PROXY, or set CROFT_FLOW_PROXY=names if the proxy decides by names.'
        : 'Check the address, and that the proxy can reach it.';
  return new NetworkError('unreachable', `The proxy opened no connection: it answered with status ${status}.`, fix);
}
