import { StartupError } from '../../../model/errors.js';

/** Loads a driver's npm package on first use; one that is missing or broken is answered with the install command. */
export async function loadPackage<Module>(
  needs: { package: string; range: string },
  load: () => Promise<Module>,
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
