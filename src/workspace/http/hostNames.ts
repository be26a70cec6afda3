/** A name that the host answers to beside those of the machine itself; `port` is that of its origin where a proxy has another. */
export interface AllowedHost {
  readonly name: string;
  readonly port: number | null;
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const written = new RegExp(`^(${label}(?:\\.${label})*|\\[[0-9a-f:.]+\\])(?::([0-9]{1,5}))?$`);

/** Splits `name:port`, the name in lower case; null when it is neither a name, an address, nor an IPv6 address in brackets. */
const split = (text: string): AllowedHost | null => {
  const [whole, name, port] = written.exec(text.toLowerCase()) ?? [];
  if (whole === undefined || name === undefined || Number(port ?? 0) > 65_535) return null;
  return { name, port: port === undefined ? null : Number(port) };
};

/** An allowed host as `--allow-host` takes it, `NAME` or `NAME:PORT`; null when it is none. */
export const parseAllowedHost = split;

const own: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether an address is of this machine alone: only such may be listened on without naming hosts. */
export const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || address === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(address);

/** Whether the Host header names this host (workspace-wire 2.3): else a foreign name was made to lead here (T13). */
export const isOwnHost = (header: string | undefined, allowed: readonly AllowedHost[]): boolean => {
  const host = header === undefined ? null : split(header);
  return host !== null && (own.includes(host.name) || allowed.some(({ name }) => name === host.name));
};

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Whether a page of this origin may call: one of the host's names with the port that is listened on, or the port that
 * was configured for the name. `null` and everything else may not.
 */
export const isOwnOrigin = (origin: string, allowed: readonly AllowedHost[], bound: number): boolean => {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  const usual = defaultPorts[url.protocol];
  if (usual === undefined || url.origin !== origin.toLowerCase()) return false;
  const port = url.port === '' ? usual : Number(url.port);
  if (own.includes(url.hostname)) return port === bound;
  return allowed.some(({ name, port: configured }) => name === url.hostname && port === (configured ?? bound));
};
