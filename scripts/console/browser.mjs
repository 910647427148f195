// What the checks and the screenshots share: Chromium or Firefox of the system, a server on a folder, a page that notes every fault.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, firefox } from 'playwright-core';
import { root } from '../ready.mjs';
import { findFirefox } from './firefox.mjs';

export function openBrowser(name = 'chromium') {
  if (name === 'firefox') return openFirefox();
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = places.find(existsSync);
  if (executablePath === undefined)
    throw new Error('no Chromium found: install it first (Debian: apt-get install chromium)');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...quiet] });
}

function openFirefox() {
  if (findFirefox() === undefined)
    throw new Error('no Firefox found: install it first (Debian: apt-get install firefox-esr)');
  const executablePath = fileURLToPath(new URL('firefox.mjs', import.meta.url));
  return firefox.launch({ channel: 'moz-firefox', executablePath });
}

export async function startServer(folder) {
  const server = spawn(
    process.execPath,
    [join(root, 'dist', 'main.js'), 'serve', '--data', 'data', '--port', '0', '--json'],
    {
      cwd: folder,
      // The console can write the settings of other programs: not those of whoever runs this.
      env: { ...process.env, HOME: join(folder, 'home'), XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const url = await new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(JSON.parse(String(data)).url));
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      server.once('exit', resolve);
      server.kill('SIGTERM');
    });
  return { url, stop };
}

/** A page that collects what must never happen: violations of the policy, foreign requests, dialogs, thrown errors. */
export async function watchedPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const faults = [];
  await context.exposeFunction('noteViolation', (text) => faults.push(`policy: ${text}`));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      window.noteViolation(`${violatedDirective} ${blockedURI} ${sample}`),
    );
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(url) && !to.startsWith('blob:') && !to.startsWith('data:'))
      faults.push(`foreign request: ${to}`);
  });
  return { page, context, faults };
}

export const viewNames = [
  'search',
  'ask',
  'timeline',
  'facts',
  'people',
  'review',
  'projects',
  'keep',
  'connect',
  'health',
  'settings',
];
