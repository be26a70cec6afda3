import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { isOwnHost, isOwnOrigin, parseAllowedHost } from '../../../src/workspace/http/hostNames.ts';
import { addressOf, openSockets, serveHost } from '../../../src/workspace/http/serveHost.ts';
import { openHost } from '../../../src/workspace/openHost.ts';
import { callBody, mcpHeaders, sendRaw } from './raw.ts';
import { served, temporary } from './served.ts';

const newPage = callBody(1, 'tilo_do', { path: 'notes#new-page', args: { title: 'Made' } });

test('W-10 a foreign Host or Origin is refused with 403 before anything is done, and one of the host passes', async () => {
  let pages = 0;
  const host = await served({
    serve: {
      allowHosts: ['ws.example', 'door.example:8443'],
      personDoor: async (_, response) => {
        pages += 1;
        response.writeHead(200).end();
        return true;
      },
    },
  });
  const own = `127.0.0.1:${host.port}`;
  const ask = (headers: Record<string, string>, path = '/w/home/mcp') =>
    sendRaw(host.port, { path, headers: { ...mcpHeaders(host.token), ...headers }, body: newPage });

  const foreign = [
    { host: 'evil.example' },
    { host: `evil.example:${host.port}` },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.evil.example' },
    { host: 'sub.ws.example' },
    { host: '127.0.0.1@evil.example' },
    { host: '0.0.0.0' },
    { host: '[::2]' },
    { host: 'localhost.' },
    { host: own, origin: 'null' },
    { host: own, origin: 'http://evil.example' },
    { host: own, origin: `http://evil.example:${host.port}` },
    { host: own, origin: 'http://127.0.0.1' },
    { host: own, origin: `http://127.0.0.1:${host.port + 1}` },
    { host: own, origin: `http://127.0.0.1:${host.port}/path` },
    { host: own, origin: `ftp://127.0.0.1:${host.port}` },
    { host: own, origin: 'http://door.example' },
    { host: own, origin: '' },
  ];
  for (const headers of foreign)
    for (const path of ['/w/home/mcp', '/', '/healthz', '/mcp']) {
      const { status, text } = await ask(headers, path);
      expect([headers, path, status]).toEqual([headers, path, 403]);
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
    }
  expect(pages).toBe(0);
  expect(host.host.events.last()).toBe(0);

  const good = [
    { host: own },
    { host: 'localhost' },
    { host: `LocalHost:${host.port}` },
    { host: '[::1]:1234' },
    { host: 'ws.example' },
    { host: 'WS.example:8080' },
    { host: own, origin: `http://127.0.0.1:${host.port}` },
    { host: own, origin: `https://localhost:${host.port}` },
    { host: own, origin: `http://[::1]:${host.port}` },
    { host: own, origin: `http://ws.example:${host.port}` },
    { host: own, origin: 'https://door.example:8443' },
  ];
  for (const headers of good) {
    const { status, headers: came } = await ask(headers);
    expect([headers, status]).toEqual([headers, 200]);
    expect(Object.keys(came).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
  expect(host.host.events.last()).toBeGreaterThan(0);
});

test('W-10 a foreign request is refused while its body is still on its way', async () => {
  const host = await served();
  const headers = { ...mcpHeaders(host.token), host: 'evil.example', 'content-length': '1000000' };
  // The body never comes: whoever waited for it would not answer.
  const { request } = await import('node:http');
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const outgoing = request({ port: host.port, host: '127.0.0.1', method: 'POST', path: '/mcp', headers });
    outgoing.on('response', (response) => {
      resolve(response.statusCode);
      outgoing.destroy();
    });
    outgoing.on('error', reject);
    outgoing.flushHeaders();
  });
  expect(status).toBe(403);
});

/** What comes back for the very bytes of a request, until the other side closes. */
const answered = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });

const refusal = { jsonrpc: '2.0', id: null, error: { code: -32_000 } };

test('W-10 a request without a Host, or with a second one, is refused with 403 like one with a foreign Host', async () => {
  const host = await served();
  const own = `Host: 127.0.0.1:${host.port}\r\n`;
  for (const hosts of ['', `${own}Host: evil.example\r\n`, `${own}${own}`]) {
    const request = `POST /mcp HTTP/1.1\r\n${hosts}Authorization: Bearer ${host.token}\r\nConnection: close\r\n\r\n`;
    const [head = '', body = ''] = (await answered(host.port, request)).split('\r\n\r\n');
    expect([hosts, head.split('\r\n')[0]]).toEqual([hosts, 'HTTP/1.1 403 Forbidden']);
    expect(JSON.parse(body)).toMatchObject(refusal);
  }
});

test('what is no HTTP at all, or has headers without end, is refused in the shape of every other refusal', async () => {
  const host = await served();
  const long = `POST /mcp HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`;
  for (const [bytes, status] of [
    ['NOTHING\r\n\r\n', 400],
    ['POST /mcp HTTP/1.1\r\nContent-Length: -4\r\n\r\n', 400],
    [long, 431],
  ] as const) {
    const [head = '', body = ''] = (await answered(host.port, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body)).toMatchObject(refusal);
  }
});

test('T13 the default bind is loopback, on both addresses of it', async () => {
  const host = await served();
  expect(host.address).toBe(`http://127.0.0.1:${host.port}`);
  const health = { method: 'GET', path: '/healthz' };
  expect((await sendRaw(host.port, health)).status).toBe(200);
  const six = await sendRaw(host.port, { ...health, connect: '::1' }).catch((error: unknown) => String(error));
  if (typeof six === 'string') expect(six).toMatch(/EADDRNOTAVAIL|ECONNREFUSED|EAFNOSUPPORT/);
  else expect(six.status).toBe(200);
});

describe('listening for others', () => {
  test('demands a name that is allowed and a token, and says who does TLS', async () => {
    const log: string[] = [];
    const report = (line: string) => void log.push(line);
    const host = await openHost({ data: temporary(), apps: [], address: () => '', person: 'Mira' });
    const options = { bind: '0.0.0.0', port: 0, report };
    await expect(serveHost(host, { ...options, allowHosts: ['ws.example'] })).rejects.toThrow(/token/);
    const revoked = host.registry.createToken({
      label: 'T',
      workspace: null,
      max: 'read',
      expires_ms: null,
      run: null,
    });
    host.registry.revokeToken(revoked.id);
    await expect(serveHost(host, { ...options, allowHosts: ['ws.example'] })).rejects.toThrow(/token/);
    host.registry.createToken({ label: 'T', workspace: null, max: 'read', expires_ms: null, run: null });
    await expect(serveHost(host, options)).rejects.toThrow(/--allow-host/);
    await expect(async () => openSockets(options)).rejects.toThrow(/--allow-host/);
    expect(log).toEqual([]);
    const door = await serveHost(host, { ...options, allowHosts: ['ws.example'] });
    expect(log.join()).toMatch(/TLS belongs to a proxy/);
    expect(door.address).toBe(`http://ws.example:${door.port}`);
    await door.close();
    await host.close();
  });

  test('the address that people get is one that they can reach', () => {
    expect(addressOf(undefined, 4747, [])).toBe('http://127.0.0.1:4747');
    expect(addressOf(undefined, 4747, ['ws.example'])).toBe('http://127.0.0.1:4747');
    expect(addressOf('::1', 80, [])).toBe('http://[::1]:80');
    expect(addressOf('0.0.0.0', 4747, ['ws.example'])).toBe('http://ws.example:4747');
    expect(addressOf('0.0.0.0', 4747, ['ws.example:443'])).toBe('https://ws.example');
    expect(addressOf('0.0.0.0', 4747, ['ws.example:8080', 'b.example'])).toBe('http://ws.example:8080');
  });
});

describe('names', () => {
  test.each(['', 'a b', 'a/b', 'http://a', 'a:99999', 'a:', '-a', 'a.', '[', 'user@a', '*', '*.a'])(
    '%j is no host that can be allowed',
    (text) => {
      expect(parseAllowedHost(text)).toBeNull();
    },
  );

  test('a missing Host is foreign', () => {
    expect(isOwnHost(undefined, [])).toBe(false);
    expect(isOwnHost('', [])).toBe(false);
  });

  test('an origin of an allowed name has the bound port, or the one that was configured', () => {
    const allowed = [
      { name: 'a.example', port: null },
      { name: 'b.example', port: 443 },
    ];
    expect(isOwnOrigin('http://a.example:4747', allowed, 4747)).toBe(true);
    expect(isOwnOrigin('https://a.example', allowed, 4747)).toBe(false);
    expect(isOwnOrigin('https://b.example', allowed, 4747)).toBe(true);
    expect(isOwnOrigin('https://b.example:4747', allowed, 4747)).toBe(false);
  });
});
