import type { Importer } from './contract.js';
import { chatgpt } from './formats/chatgpt.js';
import { claude } from './formats/claude.js';
import { claudeCode } from './formats/claude-code.js';
import { codex } from './formats/codex.js';
import { copilotChat } from './formats/copilot-chat.js';
import { copilotCli } from './formats/copilot-cli.js';
import { cursor } from './formats/cursor.js';
import { geminiCli } from './formats/gemini-cli.js';
import { geminiTakeout } from './formats/gemini-takeout.js';
import { generic } from './formats/generic.js';
import { lmStudio } from './formats/lm-studio.js';
import { openWebui } from './formats/open-webui.js';
import { opencode } from './formats/opencode.js';
import { threadkeep } from './formats/threadkeep.js';

/** Every format, in the order of the help. A new one is a file and a line here. */
export const importers: readonly Importer[] = [
  chatgpt,
  claude,
  geminiTakeout,
  claudeCode,
  codex,
  geminiCli,
  cursor,
  copilotChat,
  copilotCli,
  opencode,
  openWebui,
  lmStudio,
  generic,
  threadkeep,
];
