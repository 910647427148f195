import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Request } from '../route.js';

type Name = 'threadkeep_session' | 'threadkeep_sign_in';

/** `__Host-`: only for us, only over a safe connection, and no other host can set it. Scripts cannot read it. */
export function readCookie(context: Request, name: Name): string | undefined {
  return getCookie(context, name, 'host');
}

export function writeCookie(context: Request, name: Name, value: string, seconds: number): void {
  setCookie(context, name, value, {
    prefix: 'host',
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: seconds,
  });
}

export function clearCookie(context: Request, name: Name): void {
  deleteCookie(context, name, { prefix: 'host', path: '/', secure: true });
}
