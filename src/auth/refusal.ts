import { MemoryError } from '../model/errors.js';

/** Why a caller is not let in, in the words of RFC 6750; `missing` is none of its errors. */
export type RefusalReason = 'missing' | 'malformed' | 'in_address' | 'invalid';

const messages: Record<RefusalReason, string> = {
  missing: 'This call needs a token: send the header Authorization: Bearer <token>',
  malformed: 'The header must read: Authorization: Bearer <token>',
  in_address: 'A token in the address is refused, because addresses are logged: send it in the Authorization header',
  invalid: 'The token is unknown, expired or revoked',
};

/** One answer for every token that does not count, so that nobody learns which ones once did. */
export function unauthenticated(reason: RefusalReason): MemoryError {
  const error = challengeErrors[reason];
  return new MemoryError('unauthenticated', messages[reason], {
    fields: error === undefined ? {} : { auth_error: error },
  });
}

const challengeErrors: Record<RefusalReason, string | undefined> = {
  missing: undefined,
  malformed: 'invalid_request',
  in_address: 'invalid_request',
  invalid: 'invalid_token',
};
