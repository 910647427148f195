import type { Context } from 'hono';
import type { Principal } from '../model/access.js';
import type { Variables } from './authorise.js';
import type { Access } from './routes.js';

export type Request = Context<Variables>;

/** A page or a call, with who may use it. There is no other way to add one, so none can be without that. */
export type Route = {
  method: 'GET' | 'POST' | 'ALL';
  /** `{name}` stands for a part of the address that is input. */
  path: string;
} & (
  | { access: 'public'; handle: (context: Request) => Response | Promise<Response> }
  | {
      access: Exclude<Access, 'public'>;
      handle: (context: Request, principal: Principal) => Response | Promise<Response>;
    }
);
