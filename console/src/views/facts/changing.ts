import { useEffect } from 'preact/hooks';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { post } from '../../api.js';
import { tellChange } from '../../changes.js';
import type { Key } from '../../strings/en.js';
import { t } from '../../strings/text.js';
import { showDone, showFailed } from '../../undo-toast.js';

/** What the service answers to every change of a fact. */
interface Changed {
  id: string;
  fact?: FactOutput;
}

/** A fact in its project: every change names both. */
export type Named = Pick<FactOutput, 'id' | 'project_id'>;

export function correctFact(fact: Named, value: string): Promise<boolean> {
  return change(fact, 'correct', { value }, 'factCorrected');
}

/** Without a day it never was so. */
export function retractFact(fact: Named, until?: string): Promise<boolean> {
  return change(fact, 'retract', until === undefined ? {} : { until }, until === undefined ? 'factNever' : 'factEnded');
}

export function pinFact(fact: Named, isPinned: boolean): Promise<boolean> {
  return isPinned ? change(fact, 'unpin', {}, 'factUnpinned') : change(fact, 'pin', {}, 'factPinned');
}

export function supersedeFact({ id: fact_id, project_id }: Named, by: string): Promise<boolean> {
  const body = { fact_id, superseded_by: by, project_id };
  return settled(post<Changed>('/memory/facts/supersede', body), {
    told: 'factReplaced',
    before: { id: fact_id, project_id },
  });
}

/** Takes back the last change of a fact itself; there is nothing to take back after that. */
export async function undoFact(fact: Named): Promise<boolean> {
  try {
    await undoChange(fact, fact.id);
  } catch (error) {
    showFailed(error as Error);
    return false;
  }
  showDone(t('undone'));
  tellChange();
  return true;
}

export interface Entered {
  subject: string;
  predicate: string;
  value: string;
}

/** Adding what was added before changes nothing, so there is nothing to undo either. */
export async function addFact(entered: Entered): Promise<boolean> {
  try {
    const { subject, predicate } = entered;
    const same = { subject, predicate, status: 'all', limit: 20 };
    const before = await post<{ results: FactOutput[] }>('/memory/facts/search', same);
    const { id, fact } = await post<Changed>('/memory/facts', entered);
    const known = before.results.find((each) => each.id === id);
    const isNew = known === undefined || known.changes?.at(-1)?.at !== fact?.changes?.at(-1)?.at;
    if (!isNew || fact === undefined) showDone(t('factKnown'));
    else showUndo('factAdded', { id, project_id: fact.project_id }, id);
    focusLater(id);
    tellChange();
    return true;
  } catch (error) {
    showFailed(error as Error);
    return false;
  }
}

function change({ id, project_id }: Named, verb: string, body: object, told: Key): Promise<boolean> {
  const work = post<Changed>(`/memory/facts/${encodeURIComponent(id)}/${verb}`, { ...body, project_id });
  return settled(work, { told, before: { id, project_id } });
}

async function settled(work: Promise<Changed>, { told, before }: { told: Key; before: Named }): Promise<boolean> {
  try {
    const { id } = await work;
    showUndo(told, { ...before, id }, before.id);
    focusLater(id);
    tellChange();
    return true;
  } catch (error) {
    showFailed(error as Error);
    return false;
  }
}

function showUndo(told: Key, fact: Named, idBefore: string): void {
  showDone(t(told), () => undoChange(fact, idBefore));
}

/** A correction made another fact; after it is undone, the one before is there again. */
async function undoChange({ id, project_id }: Named, idBefore: string): Promise<void> {
  await post(`/memory/facts/${encodeURIComponent(id)}/undo`, { project_id });
  focusLater(idBefore);
}

let wanted: string | undefined;

/** The list is drawn anew after a change: whoever works with the keyboard goes on at the fact that changed. */
function focusLater(id: string): void {
  wanted = id;
}

/** Puts the focus on the fact that changed, once the list that shows the change is there and the focus was lost. */
export function useFocusAfterChange(shown: unknown): void {
  useEffect(() => {
    if (wanted === undefined) return;
    const fact = document.querySelector<HTMLElement>(`[data-fact="${CSS.escape(wanted)}"]`);
    wanted = undefined;
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body) return;
    (fact ?? document.getElementById('content'))?.focus();
  }, [shown]);
}
