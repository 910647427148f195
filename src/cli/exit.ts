/** What a script may rely on. Codes of errors come from `errorFaces`; these are the others, and the words for all. */
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
  [exitCodes.input, 'the input was refused: invalid, not found, in conflict with what is stored'],
  [exitCodes.usage, 'unknown command or option, or an argument is missing'],
  [exitCodes.service, 'the service, a store or the embedding model failed'],
  [exitCodes.configuration, 'it cannot start as configured'],
  [exitCodes.interrupted, 'stopped by Ctrl+C before it was done (143: by SIGTERM)'],
];

const codes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

export interface StopRequest {
  signal: AbortSignal;
  /** The code of the signal that asked; undefined while none did. */
  exit(): number | undefined;
  /** Signals end the process again, as before. */
  ignore(): void;
}

/** One Ctrl+C can arrive twice: from the terminal, and passed on by `npm start`. */
const sameRequest = 500;

/** Ctrl+C and SIGTERM ask for an orderly end; asking again ends at once. */
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
