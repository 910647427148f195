// How a package came to be, as an in-toto statement with the SLSA provenance predicate. It names no time, so that the same
// commit gives the same bytes; it is not signed here: the workflow signs what it publishes.

const home = 'https://github.com/threadkeep/threadkeep';

export function provenanceOf({ name, sha256, sha512, commit, lockDigest, node }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { sha256, sha512 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${home}/blob/main/scripts/release.mjs`,
        externalParameters: { source: `git+${home}.git`, commit },
        internalParameters: { node },
        resolvedDependencies: [
          { uri: `git+${home}.git`, digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: lockDigest } },
        ],
      },
      runDetails: { builder: { id: `${home}/blob/main/scripts/release.mjs` } },
    },
  };
}
