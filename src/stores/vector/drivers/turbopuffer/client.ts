/** The part of turbopuffer's client that the driver uses. */
export const needs = { package: '@turbopuffer/turbopuffer', range: '2.8.0' };

export interface Namespace {
  exists(): Promise<boolean>;
  metadata(): Promise<{ schema: Record<string, unknown> }>;
  write(request: object): Promise<unknown>;
  query(request: object): Promise<{
    rows?: { id: string | number; $dist?: number }[];
    aggregations?: Record<string, unknown>;
  }>;
  deleteAll(): Promise<unknown>;
}

export interface Library {
  default: new (options: { apiKey: string; region: string }) => { namespace(name: string): Namespace };
}
