const maximumLength = 253;
const printable = /^[\x21-\x7e]+$/u;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;
const decimalPart = /^(?:0|[1-9][0-9]{0,2})$/u;
/** Six zero groups before the last two would be another spelling of an IPv4 address when the sixth is `ffff`. */
const mappedAddress = /^::ffff:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/u;

const canonicalIpv6 = (text: string): string | null => {
  if (!/^[0-9a-f:.]+$/u.test(text) || !URL.canParse(`http://[${text}]/`)) return null;
  const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  return mappedAddress.test(canonical) ? null : canonical;
};

const isIpv4 = (labels: readonly string[]): boolean =>
  labels.length === 4 && labels.every((part) => decimalPart.test(part) && Number(part) <= 255);

/** URL parsers read a name whose last label is a number as an address. */
const endsInNumber = (labels: readonly string[]): boolean => /^(?:[0-9]+$|0x)/u.test(labels.at(-1) ?? '');

/**
 * The canonical form of a host: lower-case DNS name (`xn--` for international ones), four-part IPv4 or compressed IPv6
 * without brackets. Null for anything else: schemes, ports, credentials, wildcards, trailing dots, shorthand and mapped
 * addresses, zones. Surrounding blanks (U+0020) are trimmed. Rule: permissions section 8.
 */
export const normalizeHost = (text: string): string | null => {
  const host = text.replace(/^ +| +$/gu, '').toLowerCase();
  if (host.length > maximumLength || !printable.test(host)) return null;
  if (host.startsWith('[')) return host.endsWith(']') && host.includes(':') ? canonicalIpv6(host.slice(1, -1)) : null;
  if (host.includes(':')) return canonicalIpv6(host);
  const labels = host.split('.');
  if (isIpv4(labels)) return host;
  return !endsInNumber(labels) && labels.every((part) => label.test(part)) ? host : null;
};

/** Whether a canonical host is one of the listed ones, each brought into canonical form first. */
export const isListedHost = (host: string, list: readonly string[]): boolean =>
  list.some((entry) => normalizeHost(entry) === host);
