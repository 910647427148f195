/** Why nothing can be recorded here; undefined when it can. */
export function whyNoRecording(): string | undefined;
/** One recording of the real server, made in a folder that is removed again. */
export function record(folder: string, options: { seed: number; rounds: number }): Promise<Buffer>;
