/**
 * The exit codes that scripts may rely on. Error codes come from `errorFaces`; these are the others, with a description
 * of all.
 */
export const exitCodes = {
  ok: 0,
  input: 1,
  usage: 2,
  service: 3,
  configuration: 78,
  interrupted: 130,
  terminated: 143,
};

export const exitCodeHelp: readonly (readonly [code: number, meaning: string])[] = [
  [exitCodes.ok, 'done'],
  [exitCodes.input, 'the input was rejected: invalid, not found, or in conflict with stored data'],
  [exitCodes.usage, 'unknown command or option, or a missing argument'],
  [exitCodes.service, 'the service, a store or the embedding model failed'],
  [exitCodes.configuration, 'it cannot start with this configuration'],
  [exitCodes.interrupted, 'stopped by Ctrl+C before it was done (143: by SIGTERM)'],
];

const codes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

export interface StopRequest {
  signal: AbortSignal;
  /** The exit code of the signal received; undefined if there was none. */
  exit(): number | undefined;
  /** Restores the default handling of signals. */
  ignore(): void;
}

/** One Ctrl+C can arrive twice: from the terminal, and forwarded by `npm start`. */
const sameRequest = 500;

/** Ctrl+C and SIGTERM request an orderly shutdown; a second signal ends the process at once. */
export function onStopRequest(): StopRequest {
  const asking = new AbortController();
  let asked: number | undefined;
  let first = 0;
  function receive(name: NodeJS.Signals): void {
    const exit = codes[name as keyof typeof codes];
    if (asked !== undefined && performance.now() - first > sameRequest) process.exit(exit);
    if (asked !== undefined) return;
    asked = exit;
    first = performance.now();
    asking.abort();
  }
  for (const name of Object.keys(codes)) process.on(name, receive);
  return {
    signal: asking.signal,
    exit: () => asked,
    ignore() {
      for (const name of Object.keys(codes)) process.off(name, receive);
    },
  };
}
