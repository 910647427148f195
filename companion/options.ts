import { checkAddress } from './address.js';
import { bindSwitch } from './automatic.js';
import { type Service, testService } from './send.js';
import { readService, writeService } from './settings.js';
import { sites } from './sites.js';
import { fillWords, part, word } from './words.js';

const address = part('address', HTMLInputElement);
const token = part('token', HTMLInputElement);
const result = part('result', HTMLParagraphElement);

fillWords(document);
part('origin', HTMLElement).textContent = location.origin;
void open();

async function open(): Promise<void> {
  const service = await readService();
  address.value = service.address;
  token.value = service.token;
  part('form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void keep();
  });
  part('test', HTMLButtonElement).addEventListener('click', () => void test());
  for (const site of sites) {
    const label = document.createElement('label');
    label.className = 'switch';
    const box = document.createElement('input');
    box.type = 'checkbox';
    label.append(box, word('automatic', site.label));
    part('sites', HTMLDivElement).append(label);
    await bindSwitch(box, site, (text) => say(text, 'bad'));
  }
}

/** What is typed, where it may be used. */
function typed(): Service | undefined {
  const checked = checkAddress(address.value);
  if (checked.kind === 'ok') return { address: checked.address, token: token.value.trim() };
  say(word(checked.reason), 'bad');
  return undefined;
}

async function keep(): Promise<void> {
  const service = typed();
  if (service === undefined) return;
  await writeService(service);
  address.value = service.address;
  say(word('kept'), 'good');
}

async function test(): Promise<void> {
  const service = typed();
  if (service === undefined) return;
  say(word('testing'), '');
  const answer = await testService(service);
  if (answer.kind === 'ok') say(word('testOk'), 'good');
  else say(word(answer.reason), 'bad');
}

function say(text: string, look: 'good' | 'bad' | ''): void {
  result.className = look;
  result.textContent = text;
}
