import type { AskOutput } from '../../src/operations/ask/shapes.js';
import { aConversation, type SentConversation, turns } from '../support/conversation.js';

/** One question through any door: what the answer must hold, what it must not, and how sure it is. */
export interface AskScenario {
  question: string;
  input?: Record<string, string | number>;
  says: readonly string[];
  leavesOut?: readonly string[];
  basis: AskOutput['answer_basis'];
  confidence: readonly AskOutput['confidence'][];
}

function said(timestamp: string, ...texts: string[]): SentConversation {
  return aConversation({ timestamp, messages: turns(...texts) });
}

/** What the memory holds when the questions are asked. */
export const remembered: readonly SentConversation[] = [
  said('2024-03-01T10:00:00Z', 'I live in Paris. My name is Alex McDonald.', 'Nice to meet you, Alex!'),
  said('2025-06-10T10:00:00Z', 'I moved to Rome last month. I work as a nurse.', 'How exciting!'),
  said('2025-07-01T10:00:00Z', 'My favorite color is green. I own a Gibson Les Paul.', 'Great taste.'),
  said('2025-07-02T10:00:00Z', 'I own a Fender Telecaster too.', 'Two guitars, then.'),
  said('2025-09-02T10:00:00Z', 'My favorite food is sushi.', 'Fresh and light.'),
  said('2025-09-02T10:00:00Z', 'My favorite food is pizza.', 'Hard to beat.'),
  said(
    '2025-09-05T10:00:00Z',
    'I went to the dentist yesterday and he found two cavities.',
    'Brush twice a day and come back in six months.',
  ),
  said('2025-10-02T10:00:00Z', 'The door code at the office is 4711.', 'Saved.'),
  said('2025-11-02T10:00:00Z', 'The door code at the office is 8833 now.', 'Updated.'),
  said('2025-11-03T10:00:00Z', 'Which wine goes with salmon?', 'Try a dry Riesling or a Pinot Noir.'),
  said('2025-11-04T10:00:00Z', 'Der Kellerschlüssel liegt in der blauen Dose über dem Kühlschrank.', 'Gut.'),
  said('2025-11-05T10:00:00Z', 'Did we agree that the workshop moves to Lyon?', 'Yes, exactly.'),
  aConversation({
    source: 'whatsapp',
    title: 'Between friends',
    timestamp: '2025-11-06T18:00:00Z',
    messages: [
      { role: 'user', text: 'Mark: Did you find a place for the party?' },
      { role: 'assistant', text: 'Nora: Yes! The old boathouse by the lake is ours.' },
      { role: 'user', text: 'Mark: Great, I will bring the music.' },
      { role: 'assistant', text: 'Nora: And I bake a lemon cake.' },
    ],
  }),
];

export const scenarios: readonly AskScenario[] = [
  {
    question: 'Where do I live?',
    says: ['Rome', 'Before: Paris (said on 1 March 2024)'],
    basis: 'fact_layer',
    confidence: ['high'],
  },
  { question: 'Where did I live before?', says: ['Paris', 'Now: Rome'], basis: 'fact_layer', confidence: ['high'] },
  { question: 'Wo wohne ich?', says: ['Rome'], basis: 'fact_layer', confidence: ['high'] },
  { question: 'What is my name?', says: ['Alex McDonald'], basis: 'fact_layer', confidence: ['high'] },
  { question: 'What is my favourite colour?', says: ['green'], basis: 'fact_layer', confidence: ['high'] },
  {
    question: 'Which guitars do I own?',
    says: ['Gibson Les Paul', 'Fender Telecaster'],
    basis: 'fact_layer',
    confidence: ['high'],
  },
  { question: 'What is my favorite food?', says: ['pizza', 'sushi'], basis: 'conflict', confidence: ['low'] },
  {
    question: 'When did I go to the dentist?',
    says: ['4 September 2025. I went to the dentist yesterday'],
    leavesOut: ['Brush twice'],
    basis: 'direct_memory',
    confidence: ['high', 'medium'],
  },
  {
    question: 'How many cavities did the dentist find?',
    says: ['two cavities'],
    leavesOut: ['Brush twice'],
    basis: 'direct_memory',
    confidence: ['high', 'medium'],
  },
  {
    question: 'What is the door code at the office?',
    says: ['The door code at the office is 8833 now.'],
    basis: 'direct_memory',
    confidence: ['high'],
  },
  {
    question: 'Which wine did you recommend for salmon?',
    says: ['Riesling'],
    basis: 'direct_memory',
    confidence: ['high', 'medium'],
  },
  {
    question: 'Wo liegt der Kellerschlüssel?',
    says: ['in der blauen Dose'],
    basis: 'direct_memory',
    confidence: ['high', 'medium'],
  },
  {
    question: 'Does the workshop move to Lyon?',
    says: ['Did we agree that the workshop moves to Lyon? Assistant: Yes, exactly.'],
    basis: 'direct_memory',
    confidence: ['medium'],
  },
  {
    question: 'What does Nora bake?',
    says: ['Nora: And I bake a lemon cake.'],
    leavesOut: ['music'],
    basis: 'direct_memory',
    confidence: ['high', 'medium'],
  },
  {
    question: 'What is the door code at the office?',
    input: { date_to: '2025-10-31' },
    says: ['4711'],
    leavesOut: ['8833'],
    basis: 'direct_memory',
    confidence: ['high', 'medium'],
  },
  { question: 'What is my blood type?', says: [], basis: 'not_found', confidence: ['none'] },
  { question: 'Where does Marco live?', says: [], basis: 'not_found', confidence: ['none'] },
  {
    question: 'What does Nora bake?',
    input: { source: 'chatgpt' },
    says: [],
    leavesOut: ['cake'],
    basis: 'not_found',
    confidence: ['none'],
  },
];
