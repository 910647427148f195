// A stored payload in every field that is shown, then every place that shows it: text must stay text.
import { payloads } from './payloads.mjs';

/** One conversation per payload, the payload in everything a client may write. */
export function poisoned() {
  return payloads.map((payload, index) => ({
    source: payload.slice(0, 100),
    title: payload,
    timestamp: new Date(Date.parse('2019-03-10T00:00:00Z') + index * 60_000).toISOString(),
    tags: [payload.slice(0, 60)],
    metadata: { thread_id: `poison ${payload}`.slice(0, 120) },
    messages: [
      { role: 'user', text: `I own a ${payload}. My cat is called ${payload}. I like ${payload}. poisonword` },
      { role: 'assistant', text: `\`\`\`html\n${payload}\n\`\`\`\n${payload}` },
    ],
  }));
}

export async function battery({ page, at, url, expect }) {
  const list = async (body) => {
    const response = await page.request.post(`${url}/memory/conversations/list`, { data: body });
    return (await response.json()).results;
  };
  const stored = (await list({ limit: 100, date_to: '2019-12-31' })).filter(({ title }) => payloads.includes(title));
  expect(stored.length, payloads.length);
  await page.goto(at('search', { date_to: '2019-12-31' }));
  await page.locator('.virtual .row').first().waitFor();
  await clean(page);
  for (const mode of ['chunks', 'compact', 'conversations', 'threads']) {
    await page.goto(at('search', { q: 'poisonword', mode, date_to: '2019-12-31' }));
    await page.locator('[data-result]').first().waitFor();
    await clean(page);
  }
  for (const { id, title } of stored) {
    await page.goto(at('search', { q: title, source: title, tags: title, project_id: '', open: id, at: '0' }));
    await page.waitForFunction((text) => document.querySelector('.pane h2')?.textContent === text, title);
    await page.locator('.pane .turn').nth(1).waitFor();
    await clean(page);
  }
  for (const payload of payloads) {
    await page.goto(at('ask', { q: payload }));
    await page.locator('.answer').waitFor();
    await clean(page);
  }
  for (const [view, ready] of Object.entries({ timeline: '.stacked', facts: '.fact-groups', keep: '.forget' })) {
    await page.goto(at(view, { about: 'all', q: 'alert', year: '2019' }));
    await page.locator(ready).first().waitFor();
    await clean(page);
  }
  await page.locator('.forget input[name=date_to]').fill('2019-12-31');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('.forget .would-go li').first().waitFor();
  for (const name of payloads.slice(0, 10)) {
    const safe = name.replaceAll('/', '∕');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: safe, mimeType: 'text/plain', buffer: Buffer.from('{}') });
  }
  await page.waitForFunction(
    () => document.querySelectorAll('[data-import] .notice, [data-import] .state').length >= 10,
  );
  await clean(page);
}

/** Every message of the conversation with scripts in Markdown, as Markdown; the page must not stand still for it, either. */
export async function markdownBattery({ page, at, url, expect }) {
  const query = 'title:"Scripts in Markdown"';
  const response = await page.request.post(`${url}/memory/search`, { data: { query, include_messages: false } });
  const [{ id }] = (await response.json()).results;
  const { memory } = await (await page.request.post(`${url}/memory/retrieve`, { data: { id } })).json();
  for (let turn = 0; turn < memory.messages.length; turn += 6) {
    await page.goto(at('search', { open: id, at: String(turn) }));
    await page.locator(`[data-turn="${turn}"] .markdown`).waitFor();
    await clean(page);
    const foreign = await page
      .locator('.turn a')
      .evaluateAll((links) =>
        links
          .map(({ href, rel }) => `${new URL(href).protocol} ${rel}`)
          .filter((each) => !/^https?: noopener/.test(each)),
      );
    expect(foreign.join(), '');
  }
}

/** Nothing of what was stored has become an element or an attribute that acts. */
async function clean(page) {
  const found = await page.evaluate(() => {
    const acting = 'script:not([src^="/assets/"]), iframe, object, embed, base, video, audio, marquee, style';
    const foreign = `${acting}, main img, animate, math:not(.maths math), math :is(a, script, [href], [style])`;
    const elements = [...document.body.querySelectorAll(foreign)];
    const handlers = [...document.body.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(
        ({ name, value }) => name.startsWith('on') || (name === 'href' && /^\s*(?:javascript|data):/i.test(value)),
      ),
    );
    return [...elements, ...handlers].map((element) => element.outerHTML.slice(0, 120));
  });
  if (found.length > 0) throw new Error(`became markup: ${found.join('\n')}`);
}
