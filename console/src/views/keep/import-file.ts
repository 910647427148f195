import { ApiError, authorization, reach } from '../../api.js';
import { t } from '../../strings/text.js';

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

export type ImportLine = { type: 'progress'; read: number };

type Line = ImportLine | ({ type: 'report' } & Report) | { type: 'error'; error_code: string; error_message: string };

/** Sends a file and follows the lines that tell how far the service is; the last one is the report. */
export async function importFile(file: File, format: string, onProgress: (line: ImportLine) => void): Promise<Report> {
  const query = new URLSearchParams({ format, filename: file.name });
  const response = await reach(`/memory/import?${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      accept: 'application/x-ndjson',
      ...authorization(),
    },
    body: file,
  });
  if (!response.ok || response.body === null) {
    const { error_code = 'internal_error', error_message = response.statusText } = (await response
      .json()
      .catch(() => ({}))) as Record<string, string>;
    throw new ApiError(error_code, error_message, response.status);
  }
  for await (const line of linesOf(response.body)) {
    if (line.type === 'report') return line;
    if (line.type === 'error') throw new ApiError(line.error_code, line.error_message, response.status);
    onProgress(line);
  }
  throw new ApiError('internal_error', t('importCutOff'), 0);
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  for (;;) {
    // A connection that breaks ends the lines, as one that is closed too early does.
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    rest += value ?? '';
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Line;
    if (done) return;
  }
}
