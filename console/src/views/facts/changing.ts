import { useEffect } from 'preact/hooks';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { post } from '../../api.js';
import { tellChange } from '../../changes.js';
import type { Key } from '../../strings/en.js';
import { t } from '../../strings/text.js';
import { showDone, showFailed } from '../../undo-toast.js';

/** The response to every change of a fact. */
interface Changed {
  id: string;
  fact?: FactOutput;
}

/** The ids that every change has to send. */
export type Named = Pick<FactOutput, 'id' | 'project_id'>;

export function correctFact(fact: Named, value: string): Promise<boolean> {
  return change(fact, 'correct', { value }, 'factCorrected');
}

/** Without `until`, the fact is marked as never true. */
export function retractFact(fact: Named, until?: string): Promise<boolean> {
  return change(fact, 'retract', until === undefined ? {} : { until }, until === undefined ? 'factNever' : 'factEnded');
}

export function pinFact(fact: Named, isPinned: boolean): Promise<boolean> {
  return isPinned ? change(fact, 'unpin', {}, 'factUnpinned') : change(fact, 'pin', {}, 'factPinned');
}

/** The fact no longer rests on this message. Where nothing else states it, it no longer holds. */
export function detachSource(fact: Named, source: FactOutput['sources'][number]): Promise<boolean> {
  const { conversation_id, message_index } = source;
  return change(fact, 'detach', { conversation_id, message_index }, 'factDetached');
}

export function supersedeFact({ id: fact_id, project_id }: Named, by: string): Promise<boolean> {
  const body = { fact_id, superseded_by: by, project_id };
  return settled(post<Changed>('/memory/facts/supersede', body), {
    told: 'factReplaced',
    before: { id: fact_id, project_id },
  });
}

/** Undoes the last change of a fact. The undo itself cannot be undone. */
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

/** Adding a fact that is already known changes nothing, so no undo is offered then. */
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

/** Undoing a correction removes the corrected fact and restores the original one (`idBefore`). */
async function undoChange({ id, project_id }: Named, idBefore: string): Promise<void> {
  await post(`/memory/facts/${encodeURIComponent(id)}/undo`, { project_id });
  focusLater(idBefore);
}

let wanted: string | undefined;

/** A change re-renders the list, which would lose the keyboard focus: it goes to the changed fact instead. */
function focusLater(id: string): void {
  wanted = id;
}

/** Focuses the changed fact once the updated list is rendered, unless something else has the focus by then. */
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
