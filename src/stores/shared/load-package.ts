import { StartupError } from '../../model/errors.js';

export interface PackageNeed {
  package: string;
  range: string;
}

/**
 * Loads a driver's npm package on first use; if it is missing or broken, the error contains the install command.
 * `Module` is the type of the package, from `import type`, so that a wrong option does not compile.
 */
export async function loadPackage<Module>(
  needs: PackageNeed,
  load: () => Promise<Module> = () => import(needs.package),
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new StartupError('package_missing', `The package ${needs.package} cannot be loaded.`, {
      hint: `npm install ${needs.package}@${needs.range}`,
      cause,
    });
  }
}
