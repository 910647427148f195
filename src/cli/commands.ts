import type { Command } from './command.js';
import {
  memberAdd,
  memberList,
  memberRemove,
  memberRole,
  projectCreate,
  projectList,
} from './commands/admin/projects.js';
import { tokenCreate, tokenList, tokenRevoke, tokenRotate } from './commands/admin/tokens.js';
import { audit, userCreate, userDisable, userEnable, userList } from './commands/admin/users.js';
import { ask } from './commands/ask.js';
import { backup, migrate, restore } from './commands/backup.js';
import { completionOf, manOf } from './commands/completion.js';
import { connect, disconnectCommand } from './commands/connect.js';
import {
  conversationsList,
  conversationsRename,
  conversationsShow,
  conversationsTag,
  conversationsUntag,
  retrieve,
} from './commands/conversations.js';
import { exportCommand } from './commands/export.js';
import { factSearch, people, profileGet } from './commands/fact-search.js';
import {
  factRestore,
  factSupersede,
  factsAdd,
  factsCorrect,
  factsDetach,
  factsPin,
  factsRetract,
  factsUndo,
  factsUnpin,
} from './commands/facts.js';
import { forget } from './commands/forget.js';
import { health, tokenizerCheck } from './commands/health.js';
import { importAuto, importCommands, importDetect } from './commands/import.js';
import { importManual, ingest } from './commands/ingest.js';
import { uninstall, upgrade } from './commands/installation.js';
import { reindex, storageCheck } from './commands/reindex.js';
import { search } from './commands/search.js';
import { mcp, serve } from './commands/serve.js';
import { serviceInstall, serviceLogs, serviceStatus, serviceUninstall } from './commands/service.js';
import { watch } from './commands/watch.js';
import { configShow, where } from './commands/where.js';

/** Every command, in the order of the help. To add one, create its file and list it here. */
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
  factsDetach,
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

/** The description of each command group, and its first examples. */
export const groups: Readonly<Record<string, { about: string; examples: readonly string[] }>> = {
  conversations: {
    about: 'Browse and organise your conversations',
    examples: pick(conversationsList, conversationsShow, conversationsTag),
  },
  facts: {
    about: 'Edit facts by hand',
    examples: pick(factsAdd, factsCorrect, factsRetract, factsPin, factsUndo),
  },
  import: {
    about: 'Import conversations from other programs',
    examples: pick(importDetect, importAuto, ...importCommands.slice(0, 2), importManual),
  },
  service: {
    about: 'Run the server as a background service',
    examples: pick(serviceInstall, serviceStatus, serviceLogs, serviceUninstall),
  },
  admin: {
    about: 'Users, tokens, projects and the audit log',
    examples: pick(userCreate, tokenCreate, projectCreate, memberAdd, audit),
  },
  user: { about: 'Manage users', examples: pick(userCreate, userList, userDisable) },
  token: { about: 'Manage access tokens', examples: pick(tokenCreate, tokenList, tokenRotate, tokenRevoke) },
  project: { about: 'Manage shared projects', examples: pick(projectCreate, projectList, memberAdd) },
  member: {
    about: 'Manage the members of a project',
    examples: pick(memberAdd, memberRole, memberRemove, memberList),
  },
};

function pick(...of: readonly Command[]): string[] {
  return of.flatMap(({ examples }) => examples.slice(0, 1));
}
