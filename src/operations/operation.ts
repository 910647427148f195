import type { z } from 'zod';
import { actingWith } from '../auth/access.js';
import { noteDenial } from '../auth/audit.js';
import { type Needs, neededScopes, type OperationName, type Principal } from '../model/access.js';
import { parseInput } from '../model/parse.js';
import type { AnswerSentence } from './ask/output.js';
import type { Service } from './service.js';

/** Who calls, and through which door, with the door's defaults for what a request leaves out. */
export interface Call {
  principal: Principal;
  defaultSource: string;
  /** A search that does not say otherwise is re-ranked: who calls reads few results and can wait for their order. */
  rerankByDefault?: true;
  /** Aborts when the client is gone: what has not been stored by then need not be prepared further. */
  signal?: AbortSignal;
  /** Told each sentence of an answer that a language model writes, once it passed the check. */
  onSentence?: (sentence: AnswerSentence) => void;
}

interface Described {
  /** Its entry in the table of rights. */
  name: OperationName;
  summary: string;
  /** What the documents show, where `input` lets an operation's own steps do the checking. */
  documented?: z.ZodType;
}

/** One verb of the service, defined once for every door: what it takes, what it gives; its name says what it needs. */
export interface Operation<Input, Output> extends Described {
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  run(service: Service, call: Call, input: Input): Promise<Output>;
}

/** An operation as a door sees it: hand in what the client sent, get the answer or a MemoryError. */
export interface OpenOperation<Output = object> extends Described {
  needs: Needs;
  input: z.ZodType;
  output: z.ZodType;
  execute(service: Service, call: Call, payload: unknown): Promise<Output>;
}

/** Puts the check of scope and role and the parsing of the input in front, so that no door can forget them. */
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
