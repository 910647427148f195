import type { Command } from './command.js';
import { audit } from './commands/admin/audit.js';
import { memberAdd, memberList, memberRemove, memberRole } from './commands/admin/members.js';
import { projectCreate, projectList } from './commands/admin/projects.js';
import { tokenCreate, tokenList, tokenRevoke, tokenRotate } from './commands/admin/tokens.js';
import { userCreate, userDisable, userEnable, userList } from './commands/admin/users.js';
import { ask } from './commands/ask.js';
import { backup, restore } from './commands/backup.js';
import { completionOf } from './commands/completion.js';
import { configShow } from './commands/config-show.js';
import { connect, disconnectCommand } from './commands/connect.js';
import { conversationsRename, conversationsTag, conversationsUntag } from './commands/conversations-change.js';
import { conversationsList } from './commands/conversations-list.js';
import { conversationsShow } from './commands/conversations-show.js';
import { exportCommand } from './commands/export.js';
import { factRestore } from './commands/fact-restore.js';
import { factSearch } from './commands/fact-search.js';
import { factSupersede } from './commands/fact-supersede.js';
import { factsAdd, factsCorrect, factsPin, factsRetract, factsUndo, factsUnpin } from './commands/facts.js';
import { forget } from './commands/forget.js';
import { health } from './commands/health.js';
import { importCommands } from './commands/import.js';
import { importAuto } from './commands/import-auto.js';
import { importDetect } from './commands/import-detect.js';
import { importManual } from './commands/import-manual.js';
import { ingest } from './commands/ingest.js';
import { manOf } from './commands/man.js';
import { mcp } from './commands/mcp.js';
import { migrate } from './commands/migrate.js';
import { people } from './commands/people.js';
import { profileGet } from './commands/profile-get.js';
import { reindex } from './commands/reindex.js';
import { retrieve } from './commands/retrieve.js';
import { search } from './commands/search.js';
import { serve } from './commands/serve.js';
import { serviceInstall, serviceLogs, serviceStatus, serviceUninstall } from './commands/service.js';
import { storageCheck } from './commands/storage-check.js';
import { tokenizerCheck } from './commands/tokenizer-check.js';
import { uninstall } from './commands/uninstall.js';
import { upgrade } from './commands/upgrade.js';
import { watch } from './commands/watch.js';
import { where } from './commands/where.js';

/** Every command, in the order of the help. A new one is a file and a line here. */
export const commands: readonly Command[] = [
  serve,
  mcp,
  serviceInstall,
  serviceUninstall,
  serviceStatus,
  serviceLogs,
  connect,
  disconnectCommand,
  ingest,
  importDetect,
  importAuto,
  ...importCommands,
  importManual,
  watch,
  search,
  retrieve,
  conversationsList,
  conversationsShow,
  conversationsRename,
  conversationsTag,
  conversationsUntag,
  ask,
  profileGet,
  people,
  factSearch,
  factSupersede,
  factRestore,
  factsAdd,
  factsCorrect,
  factsRetract,
  factsPin,
  factsUnpin,
  factsUndo,
  reindex,
  exportCommand,
  forget,
  backup,
  restore,
  migrate,
  health,
  storageCheck,
  tokenizerCheck,
  configShow,
  where,
  completionOf(() => commands),
  manOf(() => commands),
  upgrade,
  uninstall,
  userCreate,
  userList,
  userDisable,
  userEnable,
  tokenCreate,
  tokenList,
  tokenRevoke,
  tokenRotate,
  projectCreate,
  projectList,
  memberAdd,
  memberRole,
  memberRemove,
  memberList,
  audit,
];

/** What a group of commands is about, and the first things one does with it. */
export const groups: Readonly<Record<string, { about: string; examples: readonly string[] }>> = {
  conversations: {
    about: 'Look through your conversations and put them in order',
    examples: pick(conversationsList, conversationsShow, conversationsTag),
  },
  facts: {
    about: 'Change what the memory knows by hand',
    examples: pick(factsAdd, factsCorrect, factsRetract, factsPin, factsUndo),
  },
  import: {
    about: 'Bring in conversations from elsewhere',
    examples: pick(importDetect, importAuto, ...importCommands.slice(0, 2), importManual),
  },
  service: {
    about: 'Keep the server running for you',
    examples: pick(serviceInstall, serviceStatus, serviceLogs, serviceUninstall),
  },
  admin: {
    about: 'Users, tokens, projects and the audit log',
    examples: pick(userCreate, tokenCreate, projectCreate, memberAdd, audit),
  },
  user: { about: 'Who may sign in', examples: pick(userCreate, userList, userDisable) },
  token: { about: 'What proves who calls', examples: pick(tokenCreate, tokenList, tokenRotate, tokenRevoke) },
  project: { about: 'Memory that several users share', examples: pick(projectCreate, projectList, memberAdd) },
  member: {
    about: 'Who is in a project, with which role',
    examples: pick(memberAdd, memberRole, memberRemove, memberList),
  },
};

function pick(...of: readonly Command[]): string[] {
  return of.flatMap(({ examples }) => examples.slice(0, 1));
}
