/** A place in a conversation: one of its messages, and the words in it that matter. */
export interface Target {
  id: string;
  turn?: number;
  /** The beginning of the passage to mark, where the words of a query would not tell it. */
  mark?: string;
}

export function targetIn(params: URLSearchParams): Target | undefined {
  const id = params.get('open');
  if (id === null) return undefined;
  const at = params.get('at');
  const mark = params.get('mark');
  return { id, ...(at === null ? {} : { turn: Number(at) }), ...(mark === null ? {} : { mark }) };
}

/** A target as it is in an address; undefined takes what another one left there away. */
export function paramsOf(target: Target | undefined): Record<'open' | 'at' | 'mark', string | undefined> {
  return {
    open: target?.id,
    at: target?.turn === undefined ? undefined : String(target.turn),
    mark: target?.mark?.slice(0, 160),
  };
}
