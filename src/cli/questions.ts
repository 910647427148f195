import { createInterface } from 'node:readline';

/** Ctrl+C at a question: the person wants the command to end, and knows why. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

export interface Questions {
  /** Only a clear yes is one. The end of the input (Ctrl+D) is a no to this and every later question. */
  yes(question: string): Promise<boolean>;
  close(): void;
}

interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Asks the person at the terminal; what is printed for scripts is not mixed with it. */
export function openQuestions(terminal: Terminal = { input: process.stdin, output: process.stderr }): Questions {
  const lines = createInterface(terminal);
  let closed = false;
  let pending: { answer(text: string): void; stop(): void } | undefined;
  lines.on('SIGINT', () => {
    terminal.output.write('\n');
    pending?.stop();
  });
  lines.on('close', () => {
    closed = true;
    if (pending !== undefined) terminal.output.write('\n');
    pending?.answer('');
  });
  return {
    async yes(question) {
      if (closed) return false;
      const asked = new Promise<string>((resolve, reject) => {
        pending = { answer: resolve, stop: () => reject(new Interrupted('Stopped by Ctrl+C')) };
        lines.question(question, resolve);
      });
      const answer = await asked.finally(() => {
        pending = undefined;
      });
      return /^(y|yes|j|ja)$/i.test(answer.trim());
    },
    close: () => lines.close(),
  };
}
