import type { ToolText } from './tool-texts.js';

/** A schema that frameworks read without another package: Standard Schema with its JSON Schema beside it. */
export interface ToolSchema<Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'threadkeep';
    readonly types?: { readonly input: Input; readonly output: Input } | undefined;
    readonly validate: (
      value: unknown,
    ) => { readonly value: Input } | { readonly issues: readonly { message: string }[] };
    readonly jsonSchema: {
      readonly input: (options: object) => Record<string, unknown>;
      readonly output: (options: object) => Record<string, unknown>;
    };
  };
}

export function toolSchema<Input>({ parameters }: Pick<ToolText<Input>, 'parameters'>): ToolSchema<Input> {
  const json = (): Record<string, unknown> => ({ ...parameters });
  return {
    '~standard': {
      version: 1,
      vendor: 'threadkeep',
      // The memory checks the values; what matters here is that there is an object with the fields it needs.
      validate: (value) => {
        const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
        const missing = parameters.required.filter((name) => typeof given[name] !== 'string');
        if (missing.length === 0) return { value: value as Input };
        return { issues: missing.map((name) => ({ message: `${name} must be a text` })) };
      },
      jsonSchema: { input: json, output: json },
    },
  };
}
