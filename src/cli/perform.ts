import type { HandVerb } from '../app/by-hand.js';
import type { Config } from '../config/schema.js';
import type { Invocation } from './command.js';
import { askServer, type Performed } from './local-server.js';
import { tokenGiven, withRuntime } from './open.js';

/** Does one thing for the person at the keyboard: by the running server of the data folder, else with stores opened here. */
export async function perform<Verb extends HandVerb>(
  caller: Pick<Invocation, 'shared' | 'secrets'>,
  verb: Verb,
  payload: unknown,
  { config }: { config?: Config } = {},
): Promise<Performed<Verb>> {
  const token = tokenGiven(caller);
  // Debugging looks at what happens, which it can only do here.
  const performed = caller.shared.verbose ? undefined : await askServer(caller.shared, { verb, payload, token });
  if (performed !== undefined) return performed;
  const { doByHand } = await import('../app/by-hand.js');
  return withRuntime(
    caller,
    async ({ config: settings, runtime }) => ({
      value: await doByHand(runtime, { verb, payload, token }),
      dryRun: settings.storage.dry_run,
    }),
    config === undefined ? {} : { config },
  );
}
