// Connecting an assistant: a click where the server may write, a snippet to copy, and who was seen.
const card = (page, client) => page.locator(`[data-client="${client}"]`);

export const connectFlows = {
  async 'connect: a click writes the settings of a client, and undo takes it back'({ page, at, expect }) {
    await page.goto(at('connect'));
    const cursor = card(page, 'cursor');
    await cursor.getByRole('button', { name: 'Connect: Cursor' }).click();
    await cursor.getByText('Connected', { exact: true }).waitFor();
    await page.locator('.toast', { hasText: 'Cursor is connected.' }).waitFor();
    expect(await page.locator('.client').first().getAttribute('data-client'), 'cursor');
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await cursor.getByText('Connected', { exact: true }).waitFor({ state: 'detached' });
    await cursor.getByRole('button', { name: 'Connect: Cursor' }).waitFor();
  },
  async 'connect: what to paste is copied, with the keyboard alone'({ page, at, url, expect }) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(at('connect'));
    await card(page, 'vscode').locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await card(page, 'vscode').getByRole('button', { name: 'Copied' }).waitFor();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied.servers.threadkeep.url, `${url}/mcp`);
    // There is nothing to write for one that is set up on its own pages.
    expect(await card(page, 'chatgpt').getByRole('button', { name: 'Connect: ChatGPT' }).count(), 0);
  },
  async 'connect: a client that comes while the page is open is seen'({ page, at, url }) {
    await page.goto(at('connect'));
    await card(page, 'gemini-cli').waitFor();
    for (const name of ['gemini-cli-mcp-client', 'some-script']) {
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1.0' } };
      await page.request.post(`${url}/mcp`, {
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        data: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      });
    }
    await card(page, 'gemini-cli').getByText('last seen today').waitFor();
    await page.getByText('some-script').waitFor();
  },
};

/** With accounts the settings of other programs are not the server's to write, and a token needs its scopes. */
export const signedInConnectFlows = {
  async 'connect: with accounts a command for a token is put together, and nothing is written'({
    page,
    at,
    expect,
    token,
  }) {
    await page.goto(at('connect'));
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await card(page, 'cursor').waitFor();
    expect(await page.getByRole('button', { name: 'Connect: Cursor' }).count(), 0);
    await page.getByText('Create a token').click();
    await page.getByLabel('User name').fill('nora');
    await page.getByLabel('Name of the token').fill('work laptop');
    await page.getByLabel('save', { exact: true }).uncheck();
    expect(
      await page.locator('.new-token pre').textContent(),
      "threadkeep admin token create --user nora --display-name 'work laptop' --scopes memory:read --expires-in 90d",
    );
    await page.getByLabel('read', { exact: true }).uncheck();
    await page.getByText('Choose at least one.').waitFor();
    await page.getByText('read, save, manage').first().waitFor();
  },
};
