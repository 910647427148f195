/** How a value stands in the text. */
export interface Assigned {
  value: string;
  /** A quoted value is a text, never code. */
  quoted: boolean;
}

/** Whether it stands for a value that is somewhere else: a variable, an expression, a path, a page, a mask, a name. */
export function isReference({ value, quoted }: Assigned): boolean {
  if (placeholders.some((form) => form.test(value)) || isPath(value)) return true;
  const bare = value.replace(/[)\]}]{1,8}$/, '');
  return !quoted && code.some((form) => form.test(value) || form.test(bare));
}

/** Of variables only those whose name holds no digit or is in capitals: a password may begin with "$" as well. */
const placeholders = [
  /^\$(?:[{(]|[A-Za-z_]+$|[A-Z_][A-Z0-9_]*$)/,
  /^(?:\{\{|<[^>]*>$|%\(|%[A-Za-z_]+%$)/,
  /^[*•·.…_#xX-]+$/,
  /^your[_-][A-Za-z_-]+$/i,
  /^[a-z][a-z0-9+.-]{1,20}:\/\//i,
];

/** Words without digits: what has some before "(" may be a password that holds one. */
const code = [
  // A call or an element: minLength(8), os.environ["…"], Optional[str].
  /^[A-Za-z_][A-Za-z_.]{2,}[([]/,
  // A member: process.env.PASSWORD, config.db.password.
  /^[A-Za-z_]+(?:\.[A-Za-z_]+)+$/,
  /^(?:process\.env|os\.environ|import\.meta\.env|env|secrets|config|settings|self|this)\.[A-Za-z]\w*$/i,
  // A variable that is named for what it holds: password=db_password.
  /^[A-Za-z_]*(?:password|passwd|pwd|key|token|secret)$/i,
];

/** A key in base64 may begin with "/" too: it has a long part of mixed letters and digits, which folders rarely have. */
function isPath(value: string): boolean {
  if (!/^(?:~|\.{1,2})?\/|^[A-Za-z]:[\\/]/.test(value)) return false;
  const isRandom = (part: string) => part.length >= 16 && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part);
  return !value.split(/[\\/]/).some(isRandom) && !/[+=]/.test(value);
}
