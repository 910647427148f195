// What a release installs, as a CycloneDX document, from the lockfile alone: the same lockfile gives the same bytes.
import { createHash } from 'node:crypto';

/** `at` is a time in ISO form; `digest` (hex) identifies the package that the document describes. */
export function sbomOf(lock, { at, digest }) {
  const packages = Object.entries(lock.packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link);
  const root = lock.packages[''];
  const own = reference(root.name, root.version);
  const shipped = new Map(packages);
  const components = packages.map(([path, entry]) => component(nameOf(path), entry));
  const dependencies = [
    { ref: own, dependsOn: dependenciesOf('', root, shipped) },
    ...packages.map(([path, entry]) => ({
      ref: reference(nameOf(path), entry.version),
      dependsOn: dependenciesOf(path, entry, shipped),
    })),
  ];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidFrom(digest)}`,
    version: 1,
    metadata: {
      timestamp: at,
      component: {
        'bom-ref': own,
        type: 'application',
        name: root.name,
        version: root.version,
        purl: own,
        licenses: licensesOf(root),
      },
    },
    components: unique(components, (each) => each['bom-ref']),
    dependencies: unique(dependencies, ({ ref }) => ref),
  };
}

function component(name, { version, integrity, license, optional }) {
  const [algorithm, digest] = (integrity ?? '').split(/-(.*)/s);
  return {
    'bom-ref': reference(name, version),
    type: 'library',
    name,
    version,
    scope: optional ? 'optional' : 'required',
    ...(algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
    ...(license === undefined ? {} : { licenses: licensesOf({ license }) }),
    purl: reference(name, version),
  };
}

/** As Node resolves a name: in the folder of the package, then in those around it. */
function dependenciesOf(path, { dependencies, optionalDependencies, peerDependencies }, shipped) {
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const found = names.flatMap((name) => {
    for (let around = path; ; around = around.slice(0, Math.max(0, around.lastIndexOf('/node_modules/')))) {
      const entry = shipped.get(`${around === '' ? '' : `${around}/`}node_modules/${name}`);
      if (entry !== undefined) return [reference(name, entry.version)];
      // Not for this lockfile: a peer or an optional package that nothing installs.
      if (around === '') return [];
    }
  });
  return [...new Set(found)].sort();
}

/** An expression such as `MIT OR Apache-2.0` has a field of its own. */
function licensesOf({ license }) {
  return license === undefined ? [] : [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }];
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function reference(name, version) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

/** A name-based UUID (version 5 in form), so that the document of a package always has the same. */
function uuidFrom(digest) {
  const bytes = createHash('sha256').update(`threadkeep-sbom:${digest}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function unique(list, keyOf) {
  const byKey = new Map(list.map((each) => [keyOf(each), each]));
  return [...byKey.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
