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
