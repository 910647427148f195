import type { HandVerb } from '../../app/by-hand.js';
import type { FactOutput } from '../../operations/facts/present.js';
import type { Command, Invocation, Result } from '../command.js';
import { markedIfDry, perform } from '../perform.js';

type FactVerb = Extract<HandVerb, `facts_${'add' | 'correct' | 'retract' | 'pin' | 'unpin' | 'detach' | 'undo'}`>;

interface InProject {
  projectId?: string;
}

const inProject = { flags: '--project-id <id>', text: 'The project of the fact (default: your own)' };
const factArgument = { name: '<fact_id>', text: 'The id that fact-search prints' };
const exampleId = 'fact_0f8c3b1e5d7a49c2b6e1d4a7f0c39b58';

export const factsAdd: Command<InProject & { subject?: string }> = {
  name: 'facts add',
  arguments: [
    { name: '<predicate>', text: 'The predicate, such as profile_location or owns_car' },
    { name: '<value...>', text: 'The value' },
  ],
  summary: 'Add a fact by hand',
  options: [{ flags: '--subject <name>', text: 'The subject (default: user, the speaker)' }, inProject],
  examples: ['threadkeep facts add profile_location Lisbon', 'threadkeep facts add owns_car a red Fiat --json'],
  run(invocation) {
    const [predicate, ...value] = invocation.args;
    const { subject } = invocation.options;
    const payload = { predicate, value: value.join(' '), ...(subject === undefined ? {} : { subject }) };
    return change(invocation, 'facts_add', payload);
  },
};

export const factsCorrect: Command<InProject> = {
  name: 'facts correct',
  arguments: [factArgument, { name: '<value...>', text: 'The correct value' }],
  summary: 'Correct the value of a fact; the old one stays as history',
  options: [inProject],
  examples: [`threadkeep facts correct ${exampleId} Porto`],
  run(invocation) {
    const [fact_id, ...value] = invocation.args;
    return change(invocation, 'facts_correct', { fact_id, value: value.join(' ') });
  },
};

export const factsRetract: Command<InProject & { until?: string }> = {
  name: 'facts retract',
  arguments: [factArgument],
  summary: 'Mark a fact as wrong or no longer true',
  options: [{ flags: '--until <date>', text: 'Until when it was true (default: it never was)' }, inProject],
  examples: [`threadkeep facts retract ${exampleId}`, `threadkeep facts retract ${exampleId} --until 2026-03-31`],
  run(invocation) {
    const { until } = invocation.options;
    const payload = { fact_id: invocation.args[0], ...(until === undefined ? {} : { until }) };
    return change(invocation, 'facts_retract', payload);
  },
};
export const factsPin = onFact(
  'pin',
  'Pin a fact: it stays current whatever newer statements say, and is listed first',
);
export const factsUnpin = onFact('unpin', 'Unpin a fact: newer statements may replace it again');
export const factsDetach: Command<InProject & { message?: string }> = {
  name: 'facts detach',
  arguments: [factArgument, { name: '<conversation_id>', text: 'The conversation that does not state it' }],
  summary: 'Say that a conversation does not state a fact; the fact no longer rests on it',
  options: [{ flags: '--message <index>', text: 'Only this message of it, counted from 0 (default: all)' }, inProject],
  examples: [`threadkeep facts detach ${exampleId} 3b241101-e2bb-4255-8caf-4136c566a962`],
  run(invocation) {
    const [fact_id, conversation_id] = invocation.args;
    const { message } = invocation.options;
    const place = message === undefined ? {} : { message_index: Number(message) };
    return change(invocation, 'facts_detach', { fact_id, conversation_id, ...place });
  },
};
export const factsUndo = onFact('undo', 'Undo the last manual change of a fact');

function onFact(word: 'pin' | 'unpin' | 'undo', summary: string): Command<InProject> {
  return {
    name: `facts ${word}`,
    arguments: [factArgument],
    summary,
    options: [inProject],
    examples: [`threadkeep facts ${word} ${exampleId}`],
    run: (invocation) => change(invocation, `facts_${word}`, { fact_id: invocation.args[0] }),
  };
}

async function change(invocation: Invocation<InProject>, verb: FactVerb, fields: object): Promise<Result> {
  const { projectId } = invocation.options;
  const payload = { ...fields, ...(projectId === undefined ? {} : { project_id: projectId }) };
  const { factsText } = await import('./fact-search.js');
  const { value: done, dryRun } = await perform(invocation, verb, payload);
  const facts: FactOutput[] = [
    ...(done.fact === undefined ? [] : [done.fact]),
    ...('superseded' in done && done.superseded !== undefined ? [done.superseded] : []),
  ];
  return markedIfDry(
    { json: done, text: (style) => (facts.length === 0 ? done.id : factsText(facts, null, style)) },
    dryRun,
  );
}

export const factSupersede: Command<{ projectId?: string }> = {
  name: 'fact-supersede',
  arguments: [
    { name: '<old_fact_id>', text: 'The fact that is no longer true' },
    { name: '<new_fact_id>', text: 'The fact that replaces it' },
  ],
  summary: 'Mark a fact as superseded by another one',
  options: [{ flags: '--project-id <id>', text: 'The project of both facts (default: your own)' }],
  examples: [
    'threadkeep fact-supersede fact_0f8c3b1e5d7a49c2b6e1d4a7f0c39b58 fact_7be2a91c4d0f4e63a58c1b90d2e7f416',
    'threadkeep fact-search --predicate owns_car --json | jq -r ".results[].id"',
  ],
  async run(invocation) {
    const [fact_id, superseded_by] = invocation.args;
    const { projectId } = invocation.options;
    const payload = { fact_id, superseded_by, ...(projectId === undefined ? {} : { project_id: projectId }) };
    const { factText } = await import('./fact-search.js');
    const { value: done, dryRun } = await perform(invocation, 'facts_supersede', payload);
    return markedIfDry(
      { json: done, text: (style) => (done.fact === undefined ? done.id : factText(done.fact, style)) },
      dryRun,
    );
  },
};

export const factRestore: Command<{ projectId?: string }> = {
  name: 'fact-restore',
  arguments: [{ name: '<fact_id>', text: 'The fact that was superseded by hand' }],
  summary: 'Undo a manual supersede of a fact',
  options: [{ flags: '--project-id <id>', text: 'The project of the fact (default: your own)' }],
  examples: ['threadkeep fact-restore fact_0f8c3b1e5d7a49c2b6e1d4a7f0c39b58'],
  async run(invocation) {
    const [fact_id] = invocation.args;
    const { projectId } = invocation.options;
    const payload = { fact_id, ...(projectId === undefined ? {} : { project_id: projectId }) };
    const { factText } = await import('./fact-search.js');
    const { value: done, dryRun } = await perform(invocation, 'facts_restore', payload);
    return markedIfDry(
      { json: done, text: (style) => (done.fact === undefined ? done.id : factText(done.fact, style)) },
      dryRun,
    );
  },
};
