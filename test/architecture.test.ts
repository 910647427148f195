import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { languages, wordList } from '../src/language/languages.js';

const source = fileURLToPath(new URL('../src', import.meta.url));
const consoleSource = fileURLToPath(new URL('../console/src', import.meta.url));

interface Room {
  name: string;
  purpose: string;
  /** Rooms, single files, `contracts` for all of those, `*` for everything. A room may always import itself. */
  mayImport: string[];
  /** Packages it may load with its files; Node's own modules are free, except in the pure rooms. */
  packages?: string[];
  /** No I/O. */
  pure?: true;
}

/** The same data makes the tables of docs/architecture.md. */
const { contracts, rooms } = JSON.parse(readFileSync(new URL('../docs/rooms.json', import.meta.url), 'utf8')) as {
  contracts: string[];
  rooms: Room[];
};
const roomNamed = new Map(rooms.map((room) => [room.name, room]));

const pureNodeModules = ['node:crypto'];

/** LanceDB reports a lost race and a damaged folder as errors, so these two files of its driver catch them. */
const catching = ['stores/vector/drivers/lancedb/commit.ts'];
const metadataDrivers = ['sqlite', 'postgres', 'mongodb'].map((name) => `stores/metadata/drivers/${name}/${name}.ts`);

/** Files outside the locales that may have letters beyond ASCII, because these are not words the engines know. */
const lettersAllowed = [
  // Letters and their plain forms, which belong to no language.
  'language/letters.ts',
  // A letter that JavaScript and the tokenizer lower in different ways.
  'embeddings/word-pieces.ts',
  // Part of the model: changing the list changes its vectors.
  'embeddings/local.ts',
  // Words that other programs write into their exports.
  'importers/formats/gemini-takeout.ts',
  'importers/formats/whatsapp.ts',
  // A text for trying a tokenizer.
  'cli/commands/health.ts',
];

/** Files outside the locales whose patterns may contain function words, because programs wrote the text they match. */
const wordsAllowed = [
  // Names in the exports of other programs.
  ...['cline', 'grok', 'librechat', 'opencode', 'telegram', 'whatsapp'].map((name) => `importers/formats/${name}.ts`),
  'importers/reading/chats.ts',
  // Identifiers of source code and settings: env, self, this.
  'ingestion/secrets.ts',
  // The names of roles in transcripts.
  'model/text.ts',
  // The replies to a question of the command line, which loads no language.
  'cli/terminal.ts',
];

interface Import {
  file: string;
  room: string;
  target: string;
  /** Loaded when the file is loaded: neither `import()` nor a type alone. */
  static: boolean;
}

const files = sourcesIn(source);
const imports = files.flatMap((file) => importsOf(file));

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
}

function importsOf(file: string, folder = source): Import[] {
  const text = readFileSync(join(folder, file), 'utf8');
  const found = [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gm)];
  return found.map(([statement, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? '';
    const target = specifier.startsWith('.')
      ? relative(folder, resolve(dirname(join(folder, file)), specifier)).replace(/\.js$/, '')
      : specifier;
    return {
      file,
      room: roomOf(file),
      target,
      static: dynamic === undefined && !/^(?:import|export) type/.test(statement),
    };
  });
}

/** Without comments, which may speak of what the code must not do. */
function codeOf(file: string): string {
  return readFileSync(join(source, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

function roomOf(path: string): string {
  const parts = path.split('/');
  return parts[0] === 'stores' ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

/** Files that import each other in a circle, as paths back to where they began; types count as well. */
function circlesIn(folder: string): string[] {
  const sources = sourcesIn(folder);
  const known = new Set(sources.map(withoutEnding));
  const targets = new Map(
    sources.map((file) => [
      withoutEnding(file),
      importsOf(file, folder).flatMap(({ target }) => (known.has(target) ? [target] : [])),
    ]),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    path.push(file);
    for (const target of targets.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of known) visit(file);
  return circles;
}

/** A list of words rather than a sentence. */
function isMostly(functionWords: ReadonlySet<string>, words: readonly string[]): boolean {
  return words.length >= 10 && words.filter((word) => functionWords.has(word)).length > words.length * 0.75;
}

function withoutEnding(file: string): string {
  return file.replace(/\.tsx?$/, '');
}

function isOurs({ target }: Import): boolean {
  return files.includes(`${target}.ts`);
}

describe('the architecture', () => {
  test('has a rule for every room, and no rule for a room that is gone', () => {
    expect([...roomNamed.keys()].sort()).toEqual([...new Set(files.map(roomOf))].sort());
  });

  test('allows imports of rooms and files that exist', () => {
    const known = new Set(['*', 'contracts', ...roomNamed.keys(), ...files.map(withoutEnding)]);
    expect([...contracts, ...rooms.flatMap(({ mayImport }) => mayImport)].filter((each) => !known.has(each))).toEqual(
      [],
    );
  });

  test('imports only in the directions of the architecture', () => {
    const wrong = imports.filter(isOurs).filter(({ room, target }) => {
      const named = roomNamed.get(room)?.mayImport ?? [];
      const allowed = named.flatMap((each) => (each === 'contracts' ? contracts : each));
      const own = roomOf(`${target}.ts`);
      return !(allowed.includes('*') || allowed.includes(own) || allowed.includes(target) || own === room);
    });
    expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test.each([
    ['src', source],
    ['console/src', consoleSource],
  ])('has no import circles in %s, type imports included', (_, folder) => {
    expect(circlesIn(folder)).toEqual([]);
  });

  test('names packages only where they belong, and loads the rest when needed', () => {
    const wrong = imports
      .filter((each) => !isOurs(each) && each.static && !each.target.startsWith('node:'))
      .filter(({ room, target }) => {
        const name = target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/');
        return !(roomNamed.get(room)?.packages ?? []).includes(name);
      });
    expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test('keeps rules pure: no I/O in them', () => {
    const wrong = imports.filter(
      ({ room, target }) =>
        roomNamed.get(room)?.pure && target.startsWith('node:') && !pureNodeModules.includes(target),
    );
    expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test('types client packages by their own types', () => {
    const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const loading = files
      .filter((file) => file.startsWith('stores/') && file !== 'stores/shared/load-package.ts')
      .flatMap((file) => {
        const text = codeOf(file);
        const name = /[nN]eeds = \{ package: '([^']+)'/.exec(text)?.[1];
        // `pg` has no types of its own; clients that are not installed for development have none here.
        if (name === undefined || name === 'pg' || !Object.hasOwn(devDependencies, name)) return [];
        return [{ file, isTyped: new RegExp(`^import type .* from '${name}';`, 'm').test(text) }];
      });
    expect(loading.length).toBeGreaterThan(7);
    expect(loading.filter(({ isTyped }) => !isTyped)).toEqual([]);
  });

  test('keeps drivers plain: no try/catch, logging, metrics or retries', () => {
    const drivers = files.filter(
      (file) =>
        (file.startsWith('stores/vector/drivers/') && !catching.includes(file)) || metadataDrivers.includes(file),
    );
    const forbidden = /\b(?:try|catch|console|logger|observer|metrics|retry|retries)\b/;
    const wrong = drivers.filter((file) => forbidden.test(codeOf(file)));
    expect(drivers.length).toBeGreaterThan(20);
    expect([...catching, ...metadataDrivers].filter((file) => !files.includes(file))).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test('keeps drivers short', () => {
    const long = files
      .filter((file) => file.startsWith('stores/'))
      .map((file) => ({ file, lines: readFileSync(join(source, file), 'utf8').trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > 300);
    expect(long).toEqual([]);
  });

  test('keeps files short', () => {
    // Generated from the schemas of the operations; people read docs/sdk.md.
    const written = files.filter((file) => file !== 'sdk/wire.ts');
    const long = written.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });

  test('keeps words of human languages in their locales', () => {
    const outside = files.filter((file) => !file.startsWith('language/locales/'));
    const functionWords = new Set(
      languages()
        .flatMap(({ words }) => wordList(words?.functionWords ?? ''))
        // A single letter is part of an escape.
        .filter((word) => word.length > 1),
    );
    const found = outside.flatMap((file) => {
      const code = codeOf(file);
      const letters = lettersAllowed.includes(file) ? [] : (code.match(/(?!\p{ASCII})\p{L}+/gu) ?? []);
      // Alternatives without blanks around them are a pattern; types have blanks.
      const patterns = wordsAllowed.includes(file) ? [] : (code.match(/[a-z'?]+(?:\|[a-z'? ]+)+/g) ?? []);
      const words = patterns.flatMap((pattern) => pattern.split('|')).filter((word) => functionWords.has(word));
      const lists = [...code.matchAll(/(['`])([\p{L}\s]{40,}?)\1/gu)].map(([, , text = '']) => wordList(text));
      const listed = lettersAllowed.includes(file) ? [] : lists.filter((list) => isMostly(functionWords, list));
      return [...letters, ...words, ...listed.map((list) => list.join(' '))].map((word) => `${file}: ${word}`);
    });
    expect([...lettersAllowed, ...wordsAllowed].filter((file) => !files.includes(file))).toEqual([]);
    expect(found).toEqual([]);
  });

  test('has one folder for each language, and a template that is not a language', () => {
    const folders = new Set(
      files.filter((file) => file.startsWith('language/locales/')).map((file) => file.split('/')[2] ?? ''),
    );
    folders.delete('template');
    expect([...folders].sort()).toEqual(
      languages()
        .map(({ code }) => code)
        .sort(),
    );
  });
});
