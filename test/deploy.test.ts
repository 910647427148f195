import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { activeMetadataSettings, activeVectorSettings } from '../src/config/active.js';
import { loadConfig } from '../src/config/load.js';
import type { Config } from '../src/config/schema.js';
import { vectorSettings } from '../src/config/storage-schema.js';
import { statusRoutes } from '../src/http/routes.js';
import { metadataDrivers } from '../src/stores/metadata/drivers.js';
import { vectorDrivers } from '../src/stores/vector/drivers.js';

// There is no container engine where the tests run: this is what can be known of the files without one.
const folder = fileURLToPath(new URL('../deploy', import.meta.url));
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const DATABASE_URL = 'postgresql://keeper:password@database:5432/threadkeep';

const oneOrMore = z.array(z.string()).min(1);
/** The keys of the Compose specification that we use, and no others: a typing error is one more. */
const composeFile = z.strictObject({
  services: z.record(
    z.string(),
    z.strictObject({
      image: z.string().optional(),
      build: z
        .strictObject({ context: z.literal('..'), dockerfile: z.string(), args: z.record(z.string(), z.string()) })
        .optional(),
      command: oneOrMore.optional(),
      environment: z.record(z.string(), z.string()).optional(),
      volumes: oneOrMore.optional(),
      ports: oneOrMore.optional(),
      configs: z.array(z.strictObject({ source: z.string(), target: z.string() })).optional(),
      depends_on: z
        .union([oneOrMore, z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') }))])
        .optional(),
      healthcheck: z.strictObject({ test: oneOrMore, interval: z.string(), retries: z.int().positive() }).optional(),
      deploy: z.strictObject({ replicas: z.int().positive() }).optional(),
      restart: z.literal('unless-stopped'),
    }),
  ),
  configs: z.record(z.string(), z.strictObject({ content: z.string() })),
  volumes: z.record(z.string(), z.strictObject({})),
});

async function loaded(content: string): Promise<Config> {
  const place = await mkdtemp(join(tmpdir(), 'threadkeep-deploy-'));
  await writeFile(join(place, 'config.yaml'), content);
  const { config } = await loadConfig({ cwd: place, environment: { DATABASE_URL } });
  await rm(place, { recursive: true });
  return config;
}

/** The packages that a pair of stores needs beyond a plain installation. */
function clientsOf({ providers }: Config): string[] {
  const metadata = metadataDrivers[providers.metadataDb as keyof typeof metadataDrivers];
  const vectors = vectorDrivers[providers.vectorDb];
  const embedded = new Set(['sqlite', 'lancedb', 'memory']);
  const needed = [metadata, vectors].filter(({ name }) => !embedded.has(name));
  return [
    ...new Set(
      needed.flatMap((driver) => ('needs' in driver ? [`${driver.needs.package}@${driver.needs.range}`] : [])),
    ),
  ];
}

describe('a compose file', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.compose.yaml'));

  it('exists for each pair', () => {
    expect(names.sort()).toEqual(
      ['mongodb-memory', 'postgres-pgvector', 'sqlite-lancedb'].map((pair) => `${pair}.compose.yaml`),
    );
  });

  it.each(names)('%s is a valid Compose file, and what it names exists', (name) => {
    const { services, configs, volumes } = composeFile.parse(parse(read(name)));
    for (const service of Object.values(services)) {
      expect((service.image === undefined) !== (service.build === undefined)).toBe(true);
      const dependencies = Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {});
      expect(Object.keys(services)).toEqual(expect.arrayContaining(dependencies));
      for (const [dependency] of Object.entries(Array.isArray(service.depends_on) ? {} : (service.depends_on ?? {}))) {
        expect(services[dependency]).toHaveProperty('healthcheck');
      }
      expect(Object.keys(configs)).toEqual(expect.arrayContaining((service.configs ?? []).map(({ source }) => source)));
      expect(Object.keys(volumes)).toEqual(
        expect.arrayContaining((service.volumes ?? []).map((volume) => volume.split(':')[0])),
      );
      // Nothing is open to the network around the machine unless somebody writes that.
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it.each(names)('%s holds settings that load, for the pair of its name, and installs their clients', async (name) => {
    const { services, configs } = composeFile.parse(parse(read(name)));
    // Compose writes two dollars for one.
    const config = await loaded((configs.settings?.content ?? '').replaceAll('$$', '$'));
    const { metadataDb, vectorDb } = config.providers;
    expect(`${metadataDb}-${vectorDb}.compose.yaml`).toBe(name);
    expect(config.api.auth).toBe('bearer_token');
    const { build, configs: mounted = [] } = services.threadkeep ?? {};
    expect(build?.args.CLIENTS?.split(' ').filter(Boolean)).toEqual(clientsOf(config));
    expect(build?.dockerfile).toBe('deploy/Dockerfile');
    expect(read('Dockerfile')).toContain(`"--config", "${mounted[0]?.target}"`);
    expect(config.paths.dataDir).toBe('/memory/data');
    if (metadataDb === 'postgres') {
      expect(activeMetadataSettings(config).settings).toMatchObject({ url: DATABASE_URL });
      expect(activeVectorSettings(config).settings).toMatchObject({ url: DATABASE_URL });
    }
  });
});

describe('the image', () => {
  const image = read('Dockerfile');

  it('runs a supported Node as another user than root, with the program on the path', () => {
    expect([...image.matchAll(/^FROM node:(\d+)-slim/gm)].map(([, major]) => major)).toEqual(['22', '22']);
    expect(image).toMatch(/^USER node$/m);
    expect(image).toContain('/usr/local/bin/threadkeep');
  });

  it('asks for its health at a path that the server has', () => {
    const [, path = ''] = /^HEALTHCHECK [\s\S]*?http:\/\/127\.0\.0\.1:8000(\/\w+)/m.exec(image) ?? [];
    expect(Object.keys(statusRoutes)).toContain(path);
  });
});

describe('the Kubernetes example', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS() as Kubernetes);
  interface Kubernetes {
    apiVersion: string;
    kind: string;
    metadata: { name: string };
    data?: Record<string, string>;
    spec?: Record<string, unknown>;
  }
  const container = z.object({
    ports: z.tuple([z.object({ containerPort: z.literal(8000) })]),
    env: z.tuple([
      z.object({
        name: z.literal('DATABASE_URL'),
        valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }),
      }),
    ]),
    readinessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.literal(8000) }) }),
    livenessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.literal(8000) }) }),
    volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  });
  const deployment = z.object({
    replicas: z.int().min(2),
    selector: z.object({ matchLabels: z.object({ app: z.string() }) }),
    template: z.object({
      metadata: z.object({ labels: z.object({ app: z.string() }) }),
      spec: z.object({ containers: z.tuple([container]), volumes: z.array(z.object({ name: z.string() })) }),
    }),
  });

  it('has settings that load, a deployment and a service', async () => {
    expect(documents.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'v1 ConfigMap',
      'apps/v1 Deployment',
      'v1 Service',
    ]);
    const config = await loaded(documents[0]?.data?.['config.yaml'] ?? '');
    expect(config.providers).toMatchObject({ metadataDb: 'postgres', vectorDb: 'pgvector' });
    expect(activeMetadataSettings(config).settings).toMatchObject({ url: DATABASE_URL });
    expect(config.storage.vector.allowFallback).toBe(false);
  });

  it('agrees with itself and with what the server offers', () => {
    const { template, selector } = deployment.parse(documents[1]?.spec);
    expect(template.metadata.labels).toEqual(selector.matchLabels);
    expect(documents[2]?.spec).toMatchObject({ selector: selector.matchLabels, ports: [{ targetPort: 8000 }] });
    const [{ readinessProbe, livenessProbe, volumeMounts, env }] = template.spec.containers;
    expect(Object.keys(statusRoutes)).toEqual(
      expect.arrayContaining([readinessProbe.httpGet.path, livenessProbe.httpGet.path]),
    );
    expect(template.spec.volumes.map(({ name }) => name)).toEqual(volumeMounts.map(({ name }) => name));
    const { name, key } = env[0].valueFrom.secretKeyRef;
    expect(read('kubernetes.yaml')).toContain(`kubectl create secret generic ${name} --from-literal=${key}=`);
  });
});

describe('the Vespa application', () => {
  it('has the schema, fields and rank profile that the driver asks for', () => {
    const { namespace, schema, rank_profile: profile } = vectorSettings.vespa.parse({});
    const text = read(`vespa/schemas/${schema}.sd`);
    expect([...text.matchAll(/field (\w+) type/g)].map(([, field]) => field)).toEqual([
      'id',
      'scope',
      'conversation_id',
      'vector',
    ]);
    expect(text).toContain(`rank-profile ${profile} {`);
    expect(text).toContain('match-features: distance(field, vector)');
    expect(read('vespa/services.xml')).toContain(`<document type="${schema}" mode="index"/>`);
    expect(namespace).toBe('memory');
  });
});
