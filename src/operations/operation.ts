import type { z } from 'zod';
import { actingWith } from '../auth/access.js';
import { noteDenial } from '../auth/audit.js';
import { type Needs, neededScopes, type OperationName, type Principal } from '../model/access.js';
import { parseInput } from '../model/parse.js';
import type { AnswerSentence } from './ask/shapes.js';
import type { Service } from './service.js';

/** The caller and the adapter of a request, with the adapter's defaults. */
export interface Call {
  principal: Principal;
  defaultSource: string;
  /** Searches are re-ranked by default: the caller reads few results and can wait for the better order. */
  rerankByDefault?: true;
  /** Aborts when the client disconnects: data that is not stored by then need not be prepared further. */
  signal?: AbortSignal;
  /** Called for each sentence that a language model writes, once it passed the check. */
  onSentence?: (sentence: AnswerSentence) => void;
}

interface Described {
  /** Its entry in the table of required scopes. */
  name: OperationName;
  summary: string;
  /** The documented schema, where the operation's own steps do the validation. */
  documented?: z.ZodType;
}

/**
 * One verb of the service, defined once for every adapter: its input, its output and, by its name, the required scope.
 */
export interface Operation<Input, Output> extends Described {
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  run(service: Service, call: Call, input: Input): Promise<Output>;
}

/** An operation as an adapter calls it: takes the client's input, returns the output or throws a MemoryError. */
export interface OpenOperation<Output = object> extends Described {
  needs: Needs;
  input: z.ZodType;
  output: z.ZodType;
  execute(service: Service, call: Call, payload: unknown): Promise<Output>;
}

/** Adds the checks of scope and role and the input parsing, so that no adapter can forget them. */
export function opened<Input, Output>(operation: Operation<Input, Output>): OpenOperation<Output> {
  const { run, ...described } = operation;
  const needs: Needs = neededScopes[operation.name];
  return {
    ...described,
    needs,
    async execute(service, call, payload) {
      try {
        const principal = actingWith(call.principal, needs);
        return await run(service, { ...call, principal }, parseInput(operation.input, payload));
      } catch (error) {
        noteDenial(service.audit, call.principal, error);
        throw error;
      }
    },
  };
}
