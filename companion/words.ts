import type messages from './_locales/en/messages.json';
import type { Result } from './settings.js';

export type Word = keyof typeof messages;

export function word(name: Word, value?: string): string {
  return chrome.i18n.getMessage(name, value === undefined ? [] : [value]);
}

/** The messages that exist for one and for several. */
type Counted = Word extends infer Name ? (Name extends `${infer Stem}_one` ? Stem : never) : never;

export function counted(stem: Counted, count: number): string {
  return word(`${stem}_${count === 1 ? 'one' : 'other'}`, String(count));
}

export function sentenceFor(result: Result): string {
  switch (result.kind) {
    case 'saved':
      return counted(result.held ? 'held' : 'saved', result.messages);
    case 'appended':
    case 'copied':
      return counted(result.kind, result.messages);
    case 'unchanged':
      return word('unchanged');
    case 'failed':
      return word(result.reason);
    default:
      return result satisfies never;
  }
}

/** Fills in the words of a page: `data-word` names the message of an element. */
export function fillWords(document: Document): void {
  document.documentElement.lang = chrome.i18n.getUILanguage();
  for (const element of document.querySelectorAll<HTMLElement>('[data-word]')) {
    element.textContent = chrome.i18n.getMessage(element.dataset.word ?? '');
  }
}

/** An element that every page of ours has; its absence is a mistake of ours, not of the user. */
export function part<Kind extends HTMLElement>(name: string, kind: new () => Kind): Kind {
  const element = document.getElementById(name);
  if (!(element instanceof kind)) throw new Error(`the page has no ${name}`);
  return element;
}
