export const defaultAddress = 'http://127.0.0.1:8000';

export type CheckedAddress =
  | { kind: 'ok'; address: string }
  | { kind: 'refused'; reason: 'addressInvalid' | 'addressForeign' };

/**
 * Where conversations may be sent: this machine, or a server of your own over https. Plain http to another machine could
 * be read on the way.
 */
export function checkAddress(text: string): CheckedAddress {
  const typed = text.trim();
  if (!URL.canParse(typed)) return { kind: 'refused', reason: 'addressInvalid' };
  const url = new URL(typed);
  const { protocol, hostname, username, password, search, hash } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return { kind: 'refused', reason: 'addressInvalid' };
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    return { kind: 'refused', reason: 'addressInvalid' };
  if (protocol === 'http:' && hostname !== '127.0.0.1' && hostname !== 'localhost')
    return { kind: 'refused', reason: 'addressForeign' };
  return { kind: 'ok', address: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}
