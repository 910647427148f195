import { readAutomatic, writeAutomatic } from './settings.js';
import { permissionFor, type Site } from './sites.js';
import { word } from './words.js';

/** Binds a switch to automatic saving on a site. The browser asks for its permission when it is turned on, and only then. */
export async function bindSwitch(box: HTMLInputElement, site: Site, say: (text: string) => void): Promise<void> {
  const origins = [permissionFor(site)];
  box.checked = (await readAutomatic()).has(site.name) && (await chrome.permissions.contains({ origins }));
  box.addEventListener('change', async () => {
    // Not awaited before asking: the browser answers a click alone, and its question may close the popup.
    const written = writeAutomatic(site.name, box.checked);
    if (!box.checked) {
      await chrome.permissions.remove({ origins });
      await written;
      return;
    }
    const given = await chrome.permissions.request({ origins });
    await written;
    if (given) return;
    box.checked = false;
    await writeAutomatic(site.name, false);
    say(word('automaticDenied', site.label));
  });
}
