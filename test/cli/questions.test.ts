import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Interrupted, openQuestions } from '../../src/cli/terminal.js';

/** As a terminal hands over what is typed: key by key. */
function aTerminal() {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true });
  const questions = openQuestions({ input, output });
  onTestFinished(() => questions.close());
  return { questions, type: (keys: string) => input.write(keys) };
}

const controlC = '\u0003';
const controlD = '\u0004';

describe('a question', () => {
  it.each([
    ['y\r', true],
    ['Ja\r', true],
    ['n\r', false],
    ['\r', false],
    ['yesterday\r', false],
    [controlD, false],
  ])('answered with %j is %j', async (keys, expected) => {
    const { questions, type } = aTerminal();
    const answer = questions.yes('Go on? ');
    type(keys);
    expect(await answer).toBe(expected);
  });

  it('is one of several, and the end of the input answers all that follow', async () => {
    const { questions, type } = aTerminal();
    const first = questions.yes('First? ');
    type('y\r');
    expect(await first).toBe(true);
    const second = questions.yes('Second? ');
    type(controlD);
    expect([await second, await questions.yes('Third? ')]).toEqual([false, false]);
  });

  it('answered with Ctrl+C ends the command', async () => {
    const { questions, type } = aTerminal();
    const answer = questions.yes('Go on? ');
    type(controlC);
    await expect(answer).rejects.toBeInstanceOf(Interrupted);
  });
});
