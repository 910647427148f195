import { StartupError } from '../../model/errors.js';

export interface PackageNeed {
  package: string;
  range: string;
}

/**
 * Loads a driver's npm package on first use; one that is missing or broken is answered with the install command. A
 * client that is not part of the plain installation is described by the few of its types that its driver uses
 * (`Module`), so that the source builds without it.
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
