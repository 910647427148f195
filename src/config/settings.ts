import { variableOf } from './environment.js';
import { isMapping, type Values, valueAt } from './layers.js';
import { redactConfig } from './redact.js';
import type { Config } from './schema.js';
import { anyName, describeConfig, type KeyDescription, type SectionDescription } from './tree.js';

/** The source of a value, in increasing precedence. */
export type SettingSource = 'default' | 'file' | 'environment' | 'flag';

export type SourceOf = (path: readonly string[]) => SettingSource;

/** Tells which layer set each key. */
export function sourceIn(layers: Readonly<Record<Exclude<SettingSource, 'default'>, Values>>): SourceOf {
  const order = ['flag', 'environment', 'file'] as const;
  return (path) => order.find((name) => valueAt(layers[name], path) !== undefined) ?? 'default';
}

export interface Setting {
  key: string;
  section: string;
  description: string;
  /** The allowed values, in words. */
  allowed: string;
  /** With secrets masked. Absent when nothing is set. */
  value?: unknown;
  default?: unknown;
  /** Absent when the service was not started from a configuration file, flags or the environment. */
  source?: SettingSource;
  /** The environment variable that sets it. */
  variable: string;
  secret: boolean;
  /** False for settings of an inactive provider. */
  in_use: boolean;
  /** The configuration is read once, when the service starts. */
  needs_restart: true;
}

/** Every key of the effective configuration, in the order of the documentation. */
export function settingsOf(config: Config, sourceOf: SourceOf | undefined): Setting[] {
  const shown = redactConfig(config);
  return describeConfig().flatMap((section) =>
    section.keys.flatMap((key) =>
      named(key.path.split('.'), shown).map((path) => settingOf({ key, section, path, shown, config, sourceOf })),
    ),
  );
}

interface Parts {
  key: KeyDescription;
  section: SectionDescription;
  path: readonly string[];
  shown: Values;
  config: Config;
  sourceOf: SourceOf | undefined;
}

function settingOf({ key, section, path, shown, config, sourceOf }: Parts): Setting {
  const value = valueAt(shown, path);
  const { description, allowed, fallback, secret } = key;
  return {
    key: path.join('.'),
    section: section.path,
    description,
    allowed,
    ...(value === undefined ? {} : { value }),
    ...(fallback === undefined ? {} : { default: 'value' in fallback ? fallback.value : fallback.words }),
    ...(sourceOf === undefined ? {} : { source: sourceOf(path) }),
    variable: variableOf(path.join('.')),
    secret,
    in_use: !section.block || isActive(section.path, config),
    needs_restart: true,
  };
}

/** Expands a key below user-chosen names, once per existing name; unchanged if there is none. */
function named(path: readonly string[], shown: Values): string[][] {
  const at = path.indexOf(anyName);
  if (at === -1) return [[...path]];
  const given = valueAt(shown, path.slice(0, at));
  const names = isMapping(given) ? Object.keys(given) : [];
  if (names.length === 0) return [[...path]];
  return names.flatMap((name) => named([...path.slice(0, at), name, ...path.slice(at + 1)], shown));
}

function isActive(block: string, { providers }: Config): boolean {
  const [, kind, name] = block.split('.');
  return name === (kind === 'vector_providers' ? providers.vectorDb : providers.metadataDb);
}
