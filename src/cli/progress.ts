/** A bar on one line, drawn again with each step and wiped at the end. */
export interface Progress {
  step(state: { done: number; total: number }): void;
  end(): void;
}

interface ProgressSettings {
  write: (text: string) => void;
  width: number;
  /** Milliseconds. */
  now: () => number;
  /** What is counted, such as MB or rows. */
  unit: string;
}

const wipe = '\r\u001b[K';
const barLength = 24;

/** Nothing is drawn unless it is a terminal: a log file wants no bars. */
export function progressOn(stream: NodeJS.WriteStream, wanted: boolean, unit: string): Progress {
  if (!wanted || !stream.isTTY) return { step() {}, end() {} };
  return createProgress({ write: (text) => stream.write(text), width: stream.columns ?? 80, now: Date.now, unit });
}

export function createProgress({ write, width, now, unit }: ProgressSettings): Progress {
  const started = now();
  return {
    step({ done, total }) {
      const part = total === 0 ? 1 : Math.min(1, done / total);
      const filled = Math.round(part * barLength);
      const rate = done / Math.max(0.001, (now() - started) / 1000);
      const left = rate === 0 ? '' : `, ${duration((total - done) / rate)} left`;
      const bar = '#'.repeat(filled) + '-'.repeat(barLength - filled);
      const speed = `${rate.toFixed(rate < 10 ? 1 : 0)} ${unit}/s`;
      write(wipe + `[${bar}] ${done}/${total} ${unit}, ${speed}${left}`.slice(0, width - 1));
    },
    end: () => write(wipe),
  };
}

/** `42s`, `3m 05s`, `2h 10m`. */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole}s`;
  const pad = (value: number): string => String(value).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${pad(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h ${pad(Math.floor((whole % 3600) / 60))}m`;
}
