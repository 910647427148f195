import { ApiError, answerOf, authorization, get, post, reach } from '../../api.js';

/** The names of programs stay as they are in every language. */
export const formats = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  'gemini-takeout': 'Gemini (Google Takeout)',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  cursor: 'Cursor',
  'cursor-agent': "Cursor's agent CLI",
  'copilot-chat': 'GitHub Copilot Chat in VS Code',
  'copilot-cli': 'GitHub Copilot CLI',
  opencode: 'opencode',
  cline: 'Cline and Roo Code',
  continue: 'Continue',
  aider: 'Aider',
  zed: 'Zed',
  windsurf: 'Windsurf',
  goose: 'Goose',
  amp: 'Amp',
  jetbrains: 'JetBrains AI Assistant',
  'open-webui': 'Open WebUI',
  librechat: 'LibreChat',
  'lm-studio': 'LM Studio',
  grok: 'Grok',
  deepseek: 'DeepSeek',
  perplexity: 'Perplexity',
  'microsoft-copilot': 'Microsoft Copilot',
  'le-chat': 'Mistral Le Chat',
  slack: 'Slack',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  discord: 'Discord',
  threadkeep: 'Threadkeep',
  json: 'JSON, JSONL, CSV',
} as const;

export interface Report {
  read: number;
  imported: number;
  appended: number;
  duplicates: number;
  skipped: number;
  messages: number;
  reasons: Record<string, number>;
}

/** An import as the service keeps it; it goes on when this page is closed. */
export interface ImportJob {
  id: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  filename?: string;
  /** Conversations in the file, once the service has counted them. */
  total?: number;
  report: Report;
  error?: { error_code: string; error_message: string };
}

/** Hands a file over. */
export async function sendFile(file: File, format: string): Promise<ImportJob> {
  const query = new URLSearchParams({ format, filename: file.name });
  const request = { method: 'POST', headers: { 'content-type': 'application/octet-stream', ...authorization() } };
  const { job } = await answerOf<{ job: ImportJob }>(
    await reach(`/memory/imports?${query}`, { ...request, body: file }),
  );
  return job;
}

/** Those that were handed over earlier and have not ended. */
export async function unfinished(): Promise<ImportJob[]> {
  const { results } = await get<{ results: ImportJob[] }>('/memory/imports');
  return results.filter(({ state }) => state === 'queued' || state === 'running');
}

export function cancelImport(id: string): Promise<unknown> {
  return post('/memory/imports/cancel', { import_id: id });
}

const askEvery = 400;

/** Asks how far it is until it ends. Throws what made it fail. */
export async function followed(job: ImportJob, onProgress: (job: ImportJob) => void): Promise<ImportJob> {
  for (let latest = job; ; ) {
    onProgress(latest);
    if (latest.error !== undefined) throw new ApiError(latest.error.error_code, latest.error.error_message, 200);
    if (latest.state === 'done' || latest.state === 'cancelled') return latest;
    await new Promise((resolve) => setTimeout(resolve, askEvery));
    latest = (await get<{ job: ImportJob }>(`/memory/imports/${latest.id}`)).job;
  }
}
