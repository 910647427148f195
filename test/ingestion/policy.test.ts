import { describe, expect, it } from 'vitest';
import { statusByPolicy } from '../../src/ingestion/prepare.js';
import { refusal } from '../support/failure.js';

const intents = ['explicit_user_request', 'user_confirmed', 'client_auto_save'];

describe('statusByPolicy', () => {
  it.each(intents)('lets %s in under every policy that can be set', (intent) => {
    expect(statusByPolicy('permissive', intent)).toBe('active');
    expect(statusByPolicy('require_save_intent', intent)).toBe('active');
    expect(statusByPolicy('review_pending', intent)).toBe('active');
  });

  it.each([...intents, undefined])('holds back what waited for review elsewhere, also with the intent %s', (intent) => {
    expect(statusByPolicy('always_review', intent)).toBe('pending_review');
  });

  it('decides about a missing intent by the policy', () => {
    expect(statusByPolicy('permissive', undefined)).toBe('active');
    expect(statusByPolicy('review_pending', undefined)).toBe('pending_review');
    expect(refusal(() => statusByPolicy('require_save_intent', undefined)).code).toBe('save_intent_required');
  });

  it('names the field that a refusal is about', () => {
    const field = [{ path: 'metadata.save_intent', message: expect.stringContaining('user_confirmed') }];
    expect(refusal(() => statusByPolicy('require_save_intent', undefined)).issues).toEqual(field);
    expect(refusal(() => statusByPolicy('require_save_intent', 'whatever')).issues).toEqual(field);
    expect(refusal(() => statusByPolicy('permissive', 'whatever')).issues).toEqual(field);
  });

  it('refuses an unknown intent under every policy', () => {
    expect(refusal(() => statusByPolicy('permissive', 'whatever')).code).toBe('invalid_input');
    expect(refusal(() => statusByPolicy('require_save_intent', 'whatever')).code).toBe('invalid_save_intent');
    expect(refusal(() => statusByPolicy('review_pending', '')).code).toBe('invalid_save_intent');
  });
});
