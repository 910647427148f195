import type { ListedClient } from '../../../../src/app/client-connections.js';
import { languageNow } from '../../strings/text.js';

/** What to do when the entry is there. The service says it in English. */
const translated: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: {
    'claude-code': 'Starte Claude Code neu; /mcp zeigt die Verbindung.',
    'claude-desktop': 'Beende Claude Desktop und starte es neu; die Werkzeuge sind unter dem + eines Chats.',
    codex: 'Starte Codex neu; /mcp zeigt die Verbindung.',
    cursor: 'Schalte es unter Settings, MCP ein.',
    vscode: 'Rufe in der Befehlspalette „MCP: List Servers“ auf und starte es.',
    'gemini-cli': 'Starte Gemini CLI neu; /mcp zeigt die Verbindung.',
    windsurf: 'Öffne in Cascade die MCP-Server und aktualisiere sie.',
    zed: 'Die Einstellungen des Agent-Panels zeigen den Server mit einem grünen Punkt.',
    cline: 'Öffne in Cline „MCP Servers“, „Configure“: Er steht in der Liste.',
    opencode: 'Starte opencode neu.',
    'copilot-cli': 'Starte Copilot CLI neu; /mcp show führt ihn auf.',
    jetbrains: 'In der IDE: Settings, Tools, AI Assistant, Model Context Protocol (MCP), Add, As JSON.',
    goose: 'Beginne eine neue Sitzung in Goose.',
    amp: 'Starte Amp neu; `amp mcp list` zeigt den Server.',
    warp: 'In Warp: Settings, AI, Manage MCP servers, Add, und einfügen.',
    chatgpt:
      'In ChatGPT: Settings, Apps & Connectors, Advanced, Developer mode einschalten; dann Create, mit dieser Adresse als MCP server URL. ChatGPT erreicht nur öffentliche https-Adressen: Stelle Threadkeep mit Authentifizierung hinter eine solche und trage sie als api.public_base_url ein.',
  },
  es: {
    'claude-code': 'Reinicia Claude Code; /mcp muestra la conexión.',
    'claude-desktop': 'Cierra Claude Desktop y vuelve a abrirlo; las herramientas están en el + de una conversación.',
    codex: 'Reinicia Codex; /mcp muestra la conexión.',
    cursor: 'Actívalo en Settings, MCP.',
    vscode: 'Ejecuta «MCP: List Servers» en la paleta de comandos e inícialo.',
    'gemini-cli': 'Reinicia Gemini CLI; /mcp muestra la conexión.',
    windsurf: 'En Cascade, abre los servidores MCP y actualízalos.',
    zed: 'Los ajustes del panel del agente muestran el servidor con un punto verde.',
    cline: 'En Cline, abre «MCP Servers», «Configure»: está en la lista.',
    opencode: 'Reinicia opencode.',
    'copilot-cli': 'Reinicia Copilot CLI; /mcp show lo muestra.',
    jetbrains: 'En el IDE: Settings, Tools, AI Assistant, Model Context Protocol (MCP), Add, As JSON.',
    goose: 'Empieza una sesión nueva de Goose.',
    amp: 'Reinicia Amp; `amp mcp list` lo muestra.',
    warp: 'En Warp: Settings, AI, Manage MCP servers, Add, y pégalo.',
    chatgpt:
      'En ChatGPT: Settings, Apps & Connectors, Advanced, activa Developer mode; después Create, con esta dirección como MCP server URL. ChatGPT solo llega a direcciones https públicas: pon Threadkeep detrás de una con autenticación e indícala en api.public_base_url.',
  },
};

export function nextStep({ client, next }: ListedClient): string {
  return translated[languageNow()]?.[client] ?? next;
}
