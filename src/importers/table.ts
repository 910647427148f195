import type { Importer } from './contract.js';
import { aider } from './formats/aider.js';
import { amp } from './formats/amp.js';
import { chatgpt } from './formats/chatgpt.js';
import { claude } from './formats/claude.js';
import { claudeCode } from './formats/claude-code.js';
import { cline } from './formats/cline.js';
import { codex } from './formats/codex.js';
import { continueDev } from './formats/continue.js';
import { copilotChat } from './formats/copilot-chat.js';
import { copilotCli } from './formats/copilot-cli.js';
import { cursor } from './formats/cursor.js';
import { cursorAgent } from './formats/cursor-agent.js';
import { deepseek } from './formats/deepseek.js';
import { discord } from './formats/discord.js';
import { geminiCli } from './formats/gemini-cli.js';
import { geminiTakeout } from './formats/gemini-takeout.js';
import { generic } from './formats/generic.js';
import { goose } from './formats/goose.js';
import { grok } from './formats/grok.js';
import { leChat } from './formats/le-chat.js';
import { librechat } from './formats/librechat.js';
import { lmStudio } from './formats/lm-studio.js';
import { microsoftCopilot } from './formats/microsoft-copilot.js';
import { openWebui } from './formats/open-webui.js';
import { opencode } from './formats/opencode.js';
import { perplexity } from './formats/perplexity.js';
import { slack } from './formats/slack.js';
import { telegram } from './formats/telegram.js';
import { threadkeep } from './formats/threadkeep.js';
import { whatsapp } from './formats/whatsapp.js';
import { windsurf } from './formats/windsurf.js';
import { zed } from './formats/zed.js';

/**
 * Every format, in the order of the help and in which a file is recognised: what is said by fewer signs comes later. A
 * new one is a file and a line here.
 */
export const importers: readonly Importer[] = [
  chatgpt,
  claude,
  geminiTakeout,
  claudeCode,
  codex,
  geminiCli,
  cursor,
  cursorAgent,
  copilotChat,
  copilotCli,
  opencode,
  cline,
  continueDev,
  aider,
  zed,
  windsurf,
  goose,
  amp,
  openWebui,
  librechat,
  lmStudio,
  grok,
  deepseek,
  perplexity,
  microsoftCopilot,
  leChat,
  slack,
  whatsapp,
  telegram,
  discord,
  threadkeep,
  generic,
];
