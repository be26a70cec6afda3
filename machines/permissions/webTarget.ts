import { normalizeHost } from './host.ts';

/** Why a network or browser target was refused before any list was looked at. */
export type WebFault = 'host_malformed' | 'scheme_not_allowed' | 'credentials_in_target';

export type WebTarget = Readonly<{ ok: true; host: string }> | Readonly<{ ok: false; fault: WebFault }>;

/** Printable ASCII without blank and backslash: what every client reads alike. */
const plain = /^[\x21-\x5b\x5d-\x7e]+$/u;
const hierarchical = /^([^/?#]*?):\/\//u;
const opaque = /^[A-Za-z][A-Za-z0-9+.-]*:(.*)$/u;
const port = /^[0-9]+(?:[/?#]|$)/u;
const hostAndPort = /^(\[[^\]]*\]|[^:[\]]*)(?::([0-9]*))?$/u;

type Address = Readonly<{ url: string; authority: string }>;

/** The text as a URL, and its authority as written. */
const addressOf = (target: string, bareHosts: boolean): Address | WebFault => {
  if (!plain.test(target) || target.startsWith('/')) return 'host_malformed';
  const scheme = hierarchical.exec(target)?.[1];
  if (scheme === undefined) {
    const rest = opaque.exec(target)?.[1];
    if (!bareHosts || (rest !== undefined && !port.test(rest))) return 'scheme_not_allowed';
  } else if (!/^https?$/iu.test(scheme)) return 'scheme_not_allowed';
  const afterScheme = scheme === undefined ? target : target.slice(scheme.length + '://'.length);
  return {
    url: scheme === undefined ? `http://${target}` : target,
    authority: afterScheme.split(/[/?#]/u, 1)[0] ?? '',
  };
};

/** The host, when the text as written and the URL as parsed agree on it. */
const agreedHost = ({ url, authority }: Address): string | null => {
  const [, written = '', digits = ''] = hostAndPort.exec(authority) ?? [];
  if (written === '' || authority.includes('%')) return null;
  if (digits !== '' && (Number(digits) < 1 || Number(digits) > 65_535)) return null;
  const host = normalizeHost(written);
  return host !== null && URL.canParse(url) && normalizeHost(new URL(url).hostname) === host ? host : null;
};

/**
 * Reads the target of a network or browser action. Gives the canonical host of an http(s) URL without credentials, or of
 * a bare host with optional port and path where `bareHosts` lets that stand. Rule: permissions section 8.
 */
export const readWebTarget = (target: string, bareHosts: boolean): WebTarget => {
  const address = addressOf(target, bareHosts);
  if (typeof address === 'string') return { ok: false, fault: address };
  if (address.authority.includes('@')) return { ok: false, fault: 'credentials_in_target' };
  const host = agreedHost(address);
  return host === null ? { ok: false, fault: 'host_malformed' } : { ok: true, host };
};

/** The host that a request would reach, credentials passed over, or null: what the trace keeps of a network target. */
export const hostForRecord = (target: string): string | null => {
  const address = addressOf(target, true);
  if (typeof address === 'string') return null;
  const authority = address.authority.slice(address.authority.lastIndexOf('@') + 1);
  return agreedHost({ ...address, authority });
};
