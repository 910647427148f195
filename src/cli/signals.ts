import { exitCodes } from './exit-codes.js';

const codes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

export interface StopRequest {
  signal: AbortSignal;
  /** The code of the signal that asked; undefined while none did. */
  exit(): number | undefined;
  /** Signals end the process again, as before. */
  ignore(): void;
}

/** Ctrl+C and SIGTERM ask for an orderly end; asking again ends at once. */
export function onStopRequest(): StopRequest {
  const asking = new AbortController();
  let asked: number | undefined;
  function receive(name: NodeJS.Signals): void {
    const exit = codes[name as keyof typeof codes];
    if (asked !== undefined) process.exit(exit);
    asked = exit;
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
