import { invalidInput } from '../../model/errors.js';
import type { Command } from '../command.js';

const shells = ['bash', 'zsh', 'fish'] as const;

/** The table of all commands holds this one too, so it is asked for when the command runs. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  operator: true,
  arguments: [{ name: '<shell>', text: shells.join(', ') }],
  summary: 'Print a script that completes commands and options in your shell',
  examples: [
    'threadkeep completion bash > ~/.local/share/bash-completion/completions/threadkeep',
    'threadkeep completion zsh > ~/.zfunc/_threadkeep',
    'threadkeep completion fish > ~/.config/fish/completions/threadkeep.fish',
  ],
  async run({ args: [shell = ''] }) {
    const make = shell === 'bash' ? bash : shell === 'zsh' ? zsh : shell === 'fish' ? fish : undefined;
    if (make === undefined) throw invalidInput('<shell>', `must be one of: ${shells.join(', ')}`);
    const script = make(wordsAfter(commands()));
    return { json: { status: 'ok', shell, script }, text: () => script };
  },
});

const sharedFlags = ['--config', '--data', '--token', '--json', '--quiet', '--verbose', '--help'];

/** What may follow the words typed so far: the next words of groups, or the options of a command. */
function wordsAfter(commands: readonly Command[]): Map<string, string[]> {
  const after = new Map<string, string[]>();
  const add = (typed: string, word: string) => {
    const known = after.get(typed) ?? [];
    if (!known.includes(word)) after.set(typed, [...known, word]);
  };
  for (const { name, options = [] } of commands) {
    const words = name.split(' ');
    words.forEach((word, at) => {
      add(words.slice(0, at).join(' '), word);
    });
    for (const { flags } of options) add(name, flags.split(' ')[0] ?? '');
    for (const flag of sharedFlags) add(name, flag);
  }
  return after;
}

/** Walks the words that are no options, as far as they name a group or a command. */
function cases(after: Map<string, string[]>): string {
  return [...after].map(([typed, words]) => `    '${typed}') next='${words.join(' ')}' ;;`).join('\n');
}

function bash(after: Map<string, string[]>): string {
  return `# bash completion of threadkeep
_threadkeep_next() {
  case "$1" in
${cases(after)}
    *) return 1 ;;
  esac
}
_threadkeep() {
  local current=\${COMP_WORDS[COMP_CWORD]} typed='' next='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    _threadkeep_next "\${typed:+$typed }$word" || break
    typed="\${typed:+$typed }$word"
  done
  _threadkeep_next "$typed"
  COMPREPLY=($(compgen -W "$next" -- "$current"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _threadkeep threadkeep`;
}

function zsh(after: Map<string, string[]>): string {
  return `#compdef threadkeep
_threadkeep_next() {
  case "$1" in
${cases(after)}
    *) return 1 ;;
  esac
}
_threadkeep() {
  local typed='' next='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    _threadkeep_next "\${typed:+$typed }$word" || break
    typed="\${typed:+$typed }$word"
  done
  _threadkeep_next "$typed"
  compadd -- \${=next} || _files
}
compdef _threadkeep threadkeep`;
}

function fish(after: Map<string, string[]>): string {
  const lines = [...after].flatMap(([typed, words]) =>
    words.map((word) => {
      const isOption = word.startsWith('--');
      const condition = `test "$(__threadkeep_typed)" = "${typed}"`;
      return `complete -c threadkeep -n '${condition}' ${isOption ? `-l ${word.slice(2)}` : `-f -a ${word}`}`;
    }),
  );
  return `# fish completion of threadkeep
function __threadkeep_typed
  string join ' ' -- (string match -v -- '-*' (commandline -opc)[2..])
end
${lines.join('\n')}`;
}
