export type SecretKind = 'private_key' | 'api_key' | 'token' | 'password' | 'card_number';

export interface SecretForm {
  kind: SecretKind;
  /** What has to stand before the secret and stays is its group `lead`; the secret is all that follows. */
  form: RegExp;
  /** How many characters of what has the form are secret, 0 for none; all of them unless it is given. */
  length?: (secret: string, match: RegExpExecArray) => number;
}
