import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AskOutput } from '../../src/operations/ask/shapes.js';
import { threadkeepJson } from '../cli/threadkeep.js';
import { aSession } from '../support/mcp.js';
import { aFolder, startService, type TestService } from '../support/service.js';
import { type AskScenario, remembered, scenarios } from './ask.js';

function check(scenario: AskScenario, answer: AskOutput): void {
  const { answer_basis: basis, confidence, answer: text, citations } = answer;
  expect({ basis, text }).toEqual({ basis: scenario.basis, text: expect.any(String) });
  for (const part of scenario.says) expect(text).toContain(part);
  for (const part of scenario.leavesOut ?? []) expect(text).not.toContain(part);
  expect(scenario.confidence).toContain(confidence);
  expect(citations.length > 0).toBe(basis !== 'not_found');
}

const cases = scenarios.map((scenario): [string, AskScenario] => [
  `${scenario.question} ${JSON.stringify(scenario.input ?? {})}`,
  scenario,
]);

describe('over HTTP', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    for (const conversation of remembered) await service.insert(conversation);
  });
  afterAll(() => service.close());

  it.each(cases)('%s', async (_, scenario) => {
    const { status, body } = await service.request('/memory/ask', { question: scenario.question, ...scenario.input });
    expect(status).toBe(200);
    check(scenario, body as unknown as AskOutput);
  });
});

describe('over MCP', () => {
  let service: TestService;
  let session: Awaited<ReturnType<typeof aSession>>;
  beforeAll(async () => {
    service = await startService();
    for (const conversation of remembered) await service.insert(conversation);
    session = await aSession(service);
  });
  afterAll(() => service.close());

  it.each(cases)('%s', async (_, scenario) => {
    const asked = { question: scenario.question, ...scenario.input };
    check(scenario, (await session.call('memory_ask', asked)) as unknown as AskOutput);
    const { body } = await service.request('/memory/ask', asked);
    expect((await session.call('memory_ask', asked)).answer).toBe(body.answer);
  });
});

describe('on the command line', () => {
  it('every question gets the same answer', { timeout: 180_000 }, async () => {
    const folder = await aFolder();
    const service = await startService({ providers: { vector_db: 'lancedb' } }, { folder });
    for (const conversation of remembered) await service.insert(conversation);
    await service.close();
    // By the rules alone, as over the other doors: startService switches the models off.
    const environment = { THREADKEEP_MODELS__READER: 'false', THREADKEEP_MODELS__TAGGER: 'false' };
    for (let at = 0; at < scenarios.length; at += 3) {
      await Promise.all(
        scenarios.slice(at, at + 3).map(async (scenario) => {
          const options = Object.entries(scenario.input ?? {}).flatMap(([name, value]) => [
            `--${name.replaceAll('_', '-')}`,
            String(value),
          ]);
          const { code, json } = await threadkeepJson(folder, ['ask', scenario.question, ...options], { environment });
          expect(code).toBe(0);
          check(scenario, json as unknown as AskOutput);
        }),
      );
    }
  });
});
