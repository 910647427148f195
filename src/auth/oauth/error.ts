/** The codes of RFC 6749, 7591 and 8707 that we answer with. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'access_denied'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'temporarily_unavailable';

/** A refusal in the form that OAuth clients read: a flat `error` and `error_description`, without anything they sent. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'OAuthError';
    this.code = code;
  }
}
