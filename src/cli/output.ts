import type { Result, SharedOptions } from './command.js';
import { errorBody, errorText, type Failure } from './failure.js';
import { styleFor } from './style.js';

/** The one place that writes: text or JSON, or nothing, as the shared options say. */
export function printResult(result: Result, shared: SharedOptions): void {
  if (shared.json) printJson(result.json);
  else if (!shared.quiet) process.stdout.write(`${result.text(styleFor(process.stdout, process.env))}\n`);
  else if (result.once !== undefined) process.stdout.write(`${result.once}\n`);
}

/** As JSON an error is a document like any other; as text it goes to standard error. */
export async function printFailure(
  failure: Failure,
  { shared, secrets }: { shared: SharedOptions; secrets: ReadonlySet<string> },
): Promise<void> {
  // Only a failure is redacted, so only a failure loads what redacts.
  const { textRedactor } = await import('../config/redact-text.js');
  const redact = textRedactor([...secrets]);
  if (shared.json) printJson(errorBody(failure));
  else if (!shared.quiet) process.stderr.write(`${errorText(failure, redact)}\n`);
  if (shared.verbose && failure.stack !== undefined) process.stderr.write(`${redact(failure.stack)}\n`);
}

/** Indented for a person, one line for a program. */
function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)}\n`);
}
