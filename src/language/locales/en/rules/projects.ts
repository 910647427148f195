import type { Groups, RuleLine } from '../../../fact-words.js';

const about = { project: true, assistant: true } as const;
/** The assistant reports a decision in the same words. */
const reported = { project: true, assistant: 'as is' } as const;
const name = '(?<subject>\\p{Lu}[\\p{L}\\p{N}._-]*(?: \\p{Lu}[\\p{L}\\p{N}._-]*){0,3})';

/** Statements of a team about its work. The subject is the named project, or else the conversation's title. */
export const projectRules: readonly RuleLine[] = [
  [
    'the',
    `the (?:creator|author|maintainer|founder) of (?:the )?${name} (?:is|was) {}`,
    'creator',
    'person',
    { ...about, holds: 'creator|author|maintainer|founder' },
  ],
  [
    'the',
    'the (?:creator|original author) (?:is|was) {}',
    'creator',
    'person',
    { ...about, holds: 'creator|author|maintainer|founder' },
  ],
  [
    '*',
    `${name}(?:'s)? (?:creator|original author) is {}`,
    'creator',
    'person',
    { project: true, holds: 'creator|author' },
  ],
  [
    '*',
    `${name} was (?:created|founded|invented|originally written) by {}`,
    'creator',
    'proper',
    { project: true, holds: '(?:created|founded|invented|written) by' },
  ],
  [
    'the our',
    '(?:the|our) (?:command name|name of the command|cli command) is {}',
    'command_name',
    'word',
    { ...about, holds: 'command' },
  ],
  [
    'the our',
    '(?:the|our) (?<what>[\\p{L}-]+(?: [\\p{L}-]+)?) strategy is {}',
    strategy,
    'short',
    { ...about, holds: 'strategy' },
  ],
  [
    'the our',
    "(?:the|our) (?:project|product|app|repo|repository|codebase)(?:'s name)? is (?:called |named )?(?<object>\\p{Lu}.+)",
    'project_name',
    'proper',
    { ...about, holds: 'project|product|repo|codebase' },
  ],
  [
    'the our',
    "(?:the|our) (?:project|product|app)(?:'s name)? is (?:called|named) {}",
    'project_name',
    'person',
    { ...about, holds: 'project|product|repo|codebase' },
  ],
  ['the our', '(?:the|our) (?:project )?deadline is (?:on )?{}', 'deadline', 'date', { ...about, holds: 'deadline' }],
  [
    'the our',
    '(?:the|our) (?:launch|release|go-live) date is (?:on )?{}',
    'launch_date',
    'date',
    { ...about, holds: 'date is' },
  ],
  [
    'we',
    "(?:we|we've|we have)(?: have)?(?: all| finally| just| also| now)*(?: decided| agreed| resolved)(?: (?:to|that|on) | (?=against ))(?!it|this|that$){}",
    decided,
    'phrase',
    reported,
  ],
  ['we', "(?:we|we've|we have)(?: finally| just| now)* settled on {}", decided, 'phrase', reported],
  ['we', 'we(?: finally| just)* (?<object>(?:chose|picked|selected) .+)', decided, 'phrase', reported],
  [
    'we',
    "(?:we|we've|we have)(?: just| recently| now)* (?:switched|migrated|moved over)(?: from (?<old>[^ ]+(?: [^ ]+)?))? to {}",
    used,
    'short',
    { project: true },
  ],
  [
    'we',
    "(?:we|we're|we are)(?: currently| now| still| mostly| mainly)* (?:use|using|run on|running on|rely on) {}",
    used,
    'phrase',
    { project: true },
  ],
  ['our the', '(?:our|the) (?:tech )?stack is {}', used, 'phrase', { project: true, holds: 'stack is' }],
  [
    'we',
    "(?:we|we've)(?: no longer use| stopped using| dropped| abandoned| don't use) (?<object>.+?)(?: any ?more)?$",
    ended,
    'short',
    { project: true, ends: true },
  ],
];

function strategy(groups: Groups, object: string): string | undefined {
  const what = (groups.what ?? '').toLowerCase().replace(/[^\p{L}]+/gu, '_');
  if (what === '' || /^(?:best|only|new|old|current|main|first|right|better|whole)$/.test(what)) return undefined;
  return /^(?:not|unclear|to |good|bad|wrong)/iu.test(object) ? undefined : `${what}_strategy`;
}

function decided(_: Groups, object: string): string | undefined {
  return /^(?:nothing|it|this|that|something|later|yet|not yet|anything)(?!\p{L})|^(?:to )?(?:disagree|meet|talk|call|wait|go out|eat|stay|watch)(?!\p{L})/iu.test(
    object,
  )
    ? undefined
    : 'decision';
}

function used(_: Groups, object: string): string | undefined {
  return /^(?:the |our |an? )?\p{Lu}|^(?:[a-z]+[0-9.]|npm|pnpm|yarn|git|docker|kubernetes|postgres|sqlite|redis|kafka|react|vue|django|rust|go|python|typescript|terraform|nginx)/u.test(
    object,
  )
    ? 'uses'
    : undefined;
}

function ended(groups: Groups, object: string): string | undefined {
  return used(groups, object);
}
