import { type CommandCall, CliError } from './command.ts';
import { commands } from './commands.ts';
import { options as serverOptions } from '../config/options.ts';

/** Words and flags that can follow the typed words. */
interface Choices {
  /** The typed words, separated by spaces; empty at the start. */
  readonly after: string;
  readonly words: readonly string[];
  readonly flags: readonly string[];
}

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Returns the choices after every sequence of words, derived from the commands. */
function allChoices(): Choices[] {
  const groups = [...new Set(commands.map(({ path }) => path.split(' ')[0] ?? ''))];
  return [
    { after: '', words: groups, flags: ['--help', ...serverOptions.map(({ name }) => `--${name}`)] },
    ...groups.flatMap((group) => {
      const words = commands.flatMap(({ path }) =>
        path.startsWith(`${group} `) ? [path.slice(group.length + 1)] : [],
      );
      return words.length === 0 ? [] : [{ after: group, words, flags: ['--help'] }];
    }),
    ...commands.map(({ path, options }) => ({
      after: path,
      words: path === 'completion' ? shells : [],
      flags: [
        '--help',
        ...options.filter(({ isHidden }) => isHidden !== true).map(({ name }) => `--${name}`),
      ],
    })),
  ];
}

const listOf = ({ words, flags }: Choices): string => [...words, ...flags].join(' ');

function bash(choices: readonly Choices[]): string {
  const cases = choices.map((choice) => `    '${choice.after}') list='${listOf(choice)}' ;;`);
  return `# bash completion for filestead: source <(filestead completion bash)
_filestead() {
  local word words='' known list=''
  local current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    known="\${words:+$words }$word"
    case "$known" in ${choices
      .filter(({ after }) => after !== '')
      .map(({ after }) => `'${after}'`)
      .join('|')}) words="$known" ;; esac
  done
  case "$words" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$list" -- "$current"))
}
complete -o default -F _filestead filestead
`;
}

function zsh(choices: readonly Choices[]): string {
  const rows = choices.map((choice) => `    ':${choice.after}' '${listOf(choice)}'`);
  return `#compdef filestead
# zsh completion for filestead: source <(filestead completion zsh)
_filestead() {
  local -A choices
  choices=(
${rows.join('\n')}
  )
  local word key typed=':'
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    key="$typed\${\${typed#:}:+ }$word"
    (( \${+choices[$key]} )) && typed="$key"
  done
  compadd -- \${=choices[$typed]}
}
if [ "$funcstack[1]" = '_filestead' ]; then _filestead "$@"; else compdef _filestead filestead; fi
`;
}

function fish(choices: readonly Choices[]): string {
  const lines: string[] = [];
  for (const { after, words, flags } of choices) {
    const start = `complete -c filestead -n '${`__filestead_at ${after}`.trim()}'`;
    for (const word of words) lines.push(`${start} -f -a '${word}'`);
    for (const flag of flags) lines.push(`${start} -l '${flag.slice(2)}'`);
  }
  return `# fish completion for filestead: filestead completion fish | source
function __filestead_at
    set -l words (commandline -opc | string match -v -- '-*')
    set -e words[1]
    test "$words[1..2]" = "$argv" -o "$words" = "$argv"
end
${lines.join('\n')}
`;
}

function powershell(choices: readonly Choices[]): string {
  const rows = choices.map((choice) => `    '${choice.after}' = '${listOf(choice)}'`);
  return `# PowerShell completion for filestead: filestead completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName filestead -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $choices = @{
${rows.join('\n')}
  }
  $typed = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    $text = $element.ToString()
    if ($text.StartsWith('-')) { continue }
    $next = ("$typed $text").Trim()
    if ($choices.ContainsKey($next)) { $typed = $next }
  }
  $choices[$typed].Split(' ') | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_)
  }
}
`;
}

const writers: Readonly<Record<(typeof shells)[number], (choices: readonly Choices[]) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
};

/** `completion`: prints the completion script of a shell. */
export function printCompletion({ words, terminal }: CommandCall): Promise<void> {
  const shell = shells.find((known) => known === words[0]);
  if (shell === undefined) return Promise.reject(new CliError(`expected one of ${shells.join(', ')}`));
  terminal.print(writers[shell](allChoices()).trimEnd());
  return Promise.resolve();
}
