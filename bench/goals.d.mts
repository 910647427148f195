export function besideGoals(report: { chunks: number } & Record<string, unknown>): {
  name: string;
  measured: string;
  goal: string;
  met: boolean;
}[];
