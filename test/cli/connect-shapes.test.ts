import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withEntry } from '../../src/cli/connect/add-entry.js';
import { type Client, clients, type Server } from '../../src/cli/connect/clients.js';

const url = 'http://127.0.0.1:8000/mcp';
const headers = { Authorization: 'Bearer TOKEN' };
const http: Server = { kind: 'http', url, headers };
const stdio: Server = { kind: 'stdio', command: 'node', args: ['main.js', 'mcp'], env: { A: 'b' } };
const started = { command: 'node', args: ['main.js', 'mcp'], env: { A: 'b' } };

/**
 * An entry as the vendor's documentation shows it: where it is, and what it is called. `http` is absent where a client
 * starts programs only.
 */
const documented: Record<string, { file: string; section: string; http?: object; stdio: object }> = {
  // code.claude.com/docs/en/mcp
  'claude-code': {
    file: '.claude.json',
    section: 'mcpServers',
    http: { type: 'http', url, headers },
    stdio: { type: 'stdio', ...started },
  },
  // modelcontextprotocol.io/docs/develop/connect-local-servers
  'claude-desktop': { file: 'Claude/claude_desktop_config.json', section: 'mcpServers', stdio: started },
  // developers.openai.com/codex/mcp
  codex: {
    file: '.codex/config.toml',
    section: 'mcp_servers',
    http: { url, bearer_token_env_var: 'MEMORY_ACCESS_TOKEN' },
    stdio: started,
  },
  // cursor.com/docs/context/mcp
  cursor: { file: '.cursor/mcp.json', section: 'mcpServers', http: { url, headers }, stdio: started },
  // code.visualstudio.com/docs/copilot/reference/mcp-configuration
  vscode: {
    file: 'Code/User/mcp.json',
    section: 'servers',
    http: { type: 'http', url, headers },
    stdio: { type: 'stdio', ...started },
  },
  // github.com/google-gemini/gemini-cli, docs/tools/mcp-server.md
  'gemini-cli': {
    file: '.gemini/settings.json',
    section: 'mcpServers',
    http: { httpUrl: url, headers },
    stdio: started,
  },
  // docs.windsurf.com/windsurf/cascade/mcp
  windsurf: {
    file: '.codeium/windsurf/mcp_config.json',
    section: 'mcpServers',
    http: { serverUrl: url, headers },
    stdio: started,
  },
  // zed.dev/docs/ai/mcp
  zed: { file: 'zed/settings.json', section: 'context_servers', http: { url, headers }, stdio: started },
  // docs.cline.bot/mcp
  cline: {
    file: 'saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    section: 'mcpServers',
    http: { type: 'streamableHttp', url, headers },
    stdio: started,
  },
  // opencode.ai/docs/mcp-servers
  opencode: {
    file: 'opencode/opencode.json',
    section: 'mcp',
    http: { type: 'remote', url, headers, enabled: true },
    stdio: { type: 'local', command: ['node', 'main.js', 'mcp'], environment: { A: 'b' }, enabled: true },
  },
  // docs.github.com/en/copilot/how-tos/use-copilot-agents/use-copilot-cli
  'copilot-cli': {
    file: '.copilot/mcp-config.json',
    section: 'mcpServers',
    http: { type: 'http', url, headers, tools: ['*'] },
    stdio: { type: 'local', ...started, tools: ['*'] },
  },
  // block.github.io/goose/docs/guides/config-files
  goose: {
    file: 'goose/config.yaml',
    section: 'extensions',
    http: {
      ...{ type: 'streamable_http', uri: url, headers, name: 'threadkeep' },
      ...{ description: 'Your memory of AI conversations', enabled: true, timeout: 300 },
    },
    stdio: {
      ...{ type: 'stdio', cmd: 'node', args: ['main.js', 'mcp'], envs: { A: 'b' }, name: 'threadkeep' },
      ...{ description: 'Your memory of AI conversations', enabled: true, timeout: 300 },
    },
  },
  // ampcode.com/manual
  amp: { file: 'amp/settings.json', section: 'amp.mcpServers', http: { url, headers }, stdio: started },
};

const written = Object.entries(clients).filter(([, { file }]) => file !== undefined);

describe("a client's settings", () => {
  it('are documented for every client whose file is written', () => {
    expect(Object.keys(documented).sort()).toEqual(written.map(([name]) => name).sort());
  });

  it.each(written)("of %s have the shape of the vendor's documentation", (name, client: Client) => {
    const shape = documented[name];
    expect(client.file?.()).toContain(join(shape?.file ?? 'none'));
    expect(client.section).toBe(shape?.section);
    expect(client.entry(stdio)).toEqual(shape?.stdio);
    if (client.stdioOnly === true) expect(shape).not.toHaveProperty('http');
    else expect(client.entry(http)).toEqual(shape?.http);
  });

  it.each(written.filter(([, { format }]) => format === 'json'))('of %s are written there', (_, client: Client) => {
    const entry = client.stdioOnly === true ? client.entry(stdio) : client.entry(http);
    expect(JSON.parse(withEntry('', client, 'threadkeep', entry))).toEqual({
      [client.section]: { threadkeep: entry },
    });
  });
});
