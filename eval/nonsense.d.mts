export function nonsenseIn(language: string, count: number): { invented: string[]; unrelated: string[] };
