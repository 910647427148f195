import { describe, expect, it } from 'vitest';
import { aFolder, threadkeep, threadkeepJson } from './threadkeep.js';

const told = {
  source: 'claude',
  timestamp: '2026-05-01',
  messages: [{ role: 'user', text: 'My name is alex prism. I drive a Volvo. I drive a Honda.' }],
};

describe('profile-get, fact-search, fact-supersede and fact-restore', () => {
  it('print what is known, find it and correct it', async () => {
    const folder = await aFolder({ 'told.json': JSON.stringify(told) });
    await threadkeep(folder, ['ingest', 'told.json']);

    const profile = await threadkeep(folder, ['profile-get', '--predicate', 'profile_name']);
    expect(profile.stdout).toMatch(
      /^1 active fact, last confirmed 2026-05-01\nprofile_name: Alex Prism\n {3}2026-05-01 · high · direct user statement · fact_[0-9a-f]{32}\n$/,
    );

    const before = await threadkeepJson(folder, ['fact-search', '--as-of', '2026-04-30']);
    expect(before.json.results).toEqual([]);

    const cars = await threadkeepJson(folder, ['fact-search', 'volvo', 'honda', '--source', 'claude']);
    const results = cars.json.results as { id: string; object_raw: string }[];
    const idOf = (value: string): string => results.find(({ object_raw }) => object_raw === value)?.id ?? '';
    const done = await threadkeep(folder, ['fact-supersede', idOf('a Volvo'), idOf('a Honda')]);
    expect({ code: done.code, first: done.stdout.split('\n')[0] }).toEqual({ code: 0, first: 'owns_car: a Volvo' });

    const history = await threadkeep(folder, ['fact-search', '--status', 'superseded']);
    expect(history.stdout).toContain('superseded ');

    const restored = await threadkeepJson(folder, ['fact-restore', idOf('a Volvo')]);
    expect(restored.json).toMatchObject({ status: 'ok', fact: { status: 'active', object_raw: 'a Volvo' } });
  }, 120_000);

  it('refuse a choice that does not exist', async () => {
    const folder = await aFolder();
    const refused = await threadkeep(folder, ['fact-search', '--status', 'gone']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('--status');
  });
});

describe('facts', () => {
  it('adds, corrects, retracts, pins and undoes', async () => {
    const folder = await aFolder();
    const added = await threadkeepJson(folder, ['facts', 'add', 'profile_location', 'Porto', 'Alegre']);
    expect(added.json).toMatchObject({ status: 'ok', fact: { object_normalized: 'Porto Alegre', status: 'active' } });
    const id = String(added.json.id);
    const pinned = await threadkeep(folder, ['facts', 'pin', id]);
    expect(pinned.stdout).toMatch(/^profile_location: Porto Alegre\n {3}pinned · /);
    await threadkeep(folder, ['facts', 'unpin', id]);
    const corrected = await threadkeepJson(folder, ['facts', 'correct', id, 'Lisbon']);
    expect(corrected.json).toMatchObject({
      fact: { object_normalized: 'Lisbon' },
      superseded: { id, status: 'superseded' },
    });
    const undone = await threadkeepJson(folder, ['facts', 'undo', id]);
    expect(undone.json).toMatchObject({ id, undone: 'corrected', fact: { status: 'active' } });
    const retracted = await threadkeep(folder, ['facts', 'retract', id]);
    expect(retracted.stdout).toContain('superseded ');
    const ended = await threadkeepJson(folder, ['facts', 'retract', id, '--until', new Date().toISOString()]);
    expect(ended.json).toMatchObject({ fact: { changes: [{}, {}, {}, {}, { until: expect.any(String) }] } });
    const missing = await threadkeep(folder, ['facts', 'retract', `fact_${'0'.repeat(32)}`]);
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toContain('No fact with this id');
  }, 120_000);
});
