import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { StartupError } from '../../model/errors.js';

/*
 * Reads a model's files: validated JSON, and weights in the safetensors format.
 */

/** The error for model files that exist but cannot be used. */
export function unusable(what: string, cause?: unknown): StartupError {
  return new StartupError('driver_unavailable', `The embedding model cannot be used: ${what}.`, {
    hint: 'docs/retrieval.md, "Models", says what a model folder needs; or set providers.embedding_model to another model.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Reads a JSON file of a model folder and validates it with `schema`; undefined when the file is missing. */
export async function readJsonFile<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, name), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(`${name} cannot be read`, cause);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unusable(`${name} is not JSON`, cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join('.') ?? '';
  throw unusable(`${name} has an unexpected ${at === '' ? 'form' : `value at ${at}`}`, parsed.error);
}

export interface Weights {
  has(name: string): boolean;
  /** The values of a tensor in single precision. Throws `StartupError` when it is missing or has another shape. */
  read(name: string, shape: readonly number[]): Float32Array;
}

/** Parses a `.safetensors` file: a length, a JSON table of tensors, then their bytes. */
export function readSafetensors(bytes: Uint8Array): Weights {
  const { table, begin } = tableOf(bytes);
  return {
    has: (name) => Object.hasOwn(table, name),
    read(name, shape) {
      const entry = Object.hasOwn(table, name) ? table[name] : undefined;
      if (entry === undefined) throw unusable(`model.safetensors has no tensor ${name}`);
      if (entry.shape.join() !== shape.join()) {
        throw unusable(`the tensor ${name} has the shape ${entry.shape.join('×')} instead of ${shape.join('×')}`);
      }
      const [from, to] = entry.data_offsets;
      const count = shape.reduce((product, size) => product * size, 1);
      const size = entry.dtype === 'F32' ? 4 : 2;
      if (to - from !== count * size || begin + to > bytes.length) throw unusable('model.safetensors is truncated');
      // Copied, because a typed array must be aligned to its element size.
      const own = new Uint8Array(bytes.subarray(begin + from, begin + to)).buffer;
      switch (entry.dtype) {
        case 'F32':
          return new Float32Array(own);
        case 'F16':
          return fromFloat16(new Uint16Array(own));
        case 'BF16':
          return fromBrainFloat16(new Uint16Array(own));
        default:
          throw unusable(`the tensor ${name} is of the type ${entry.dtype}; F32, F16 and BF16 are supported`);
      }
    },
  };
}

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

function tableOf(bytes: Uint8Array): { table: Record<string, Entry>; begin: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < 8 ? Number.POSITIVE_INFINITY : Number(view.getBigUint64(0, true));
  if (length > bytes.length - 8) throw unusable('model.safetensors is truncated');
  try {
    const table = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as Record<string, Entry>;
    return { table, begin: 8 + length };
  } catch (cause) {
    throw unusable('model.safetensors has no readable table of tensors', cause);
  }
}

/** Converts half-precision numbers, given as their 16 bits, to single precision. */
export function fromFloat16(halves: Uint16Array): Float32Array {
  const bits = new Uint32Array(halves.length);
  for (let index = 0; index < halves.length; index++) {
    const half = halves[index] ?? 0;
    const sign = (half & 0x8000) << 16;
    const exponent = (half >>> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0x1f) bits[index] = sign | 0x7f800000 | (fraction << 13);
    else if (exponent !== 0) bits[index] = sign | ((exponent + 112) << 23) | (fraction << 13);
    else if (fraction !== 0) bits[index] = sign | subnormal(fraction);
    else bits[index] = sign;
  }
  return new Float32Array(bits.buffer);
}

/** A number that is subnormal in half precision is normal in single precision. */
function subnormal(fraction: number): number {
  const shift = Math.clz32(fraction) - 21;
  return ((113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13);
}

/** Converts `bfloat16`, the upper halves of single-precision numbers, to single precision. */
export function fromBrainFloat16(halves: Uint16Array): Float32Array {
  return new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);
}
