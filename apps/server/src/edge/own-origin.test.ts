import { describe, expect, it } from 'vitest';
import { originRule } from './own-origin.ts';

const refusal = (publicUrl: string, origin: string, host = 'croft.example') =>
  originRule({ host: '127.0.0.1', publicUrl, allowedOrigins: [] }).refuse({ origin }, host);

describe('an origin in the name of the public address', () => {
  it('is foreign over http where the public address is https, because an attacker on the network can serve such a page', () => {
    expect(refusal('https://croft.example/', 'https://croft.example')).toBeUndefined();
    expect(refusal('https://croft.example/', 'http://croft.example')).toBe('Origin not allowed');
    expect(refusal('https://croft.example/', 'http://croft.example:8080', 'croft.example:8080')).toBe(
      'Origin not allowed',
    );
  });

  it('is ours over http where the address is http, and this machine is by its own names', () => {
    expect(refusal('http://croft.example/', 'http://croft.example')).toBeUndefined();
    expect(refusal('https://croft.example/', 'http://localhost:7860', 'localhost:7860')).toBeUndefined();
  });
});
