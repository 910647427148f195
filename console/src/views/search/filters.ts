/** The filters of a search as the address holds them. */
export const filterNames = [
  'source',
  'date_from',
  'date_to',
  'tags',
  'thread_id',
  'memory_status',
  'project_id',
] as const;

export type FilterName = (typeof filterNames)[number];
export type Filters = Partial<Record<FilterName, string>>;

export function filtersIn(params: URLSearchParams): Filters {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = params.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  );
}

/** The same filters in the words of the interface: several tags are a list there. */
export function bodyOf({ tags, ...filters }: Filters): Record<string, unknown> {
  return { ...filters, ...(tags === undefined ? {} : { tags: tagsOf(tags) }) };
}

export function tagsOf(tags: string | undefined): string[] {
  return (tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
