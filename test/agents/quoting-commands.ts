// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the shell's
/** What a shell makes something special of, in commands whose output, errors and exit code are known from a raw run. */

export interface Case {
  readonly command: string;
  /** Of the shell that the host starts: nothing to read (the default), something, or no descriptor at all. */
  readonly stdin?: 'text' | 'closed';
  /** stdout and stderr are one pipe: their order can be seen. */
  readonly merged?: true;
  /** Where the two differ: what of each is known. All else is the same. */
  readonly raw?: Known;
  readonly wrapped?: Known;
}

export interface Known {
  readonly code?: number | string;
  readonly stdout?: string;
  readonly stderr?: RegExp;
}

/** Commands that leave the shell as it is, one after the other: a run of each takes its time. */
function together(...commands: readonly string[]): string {
  return commands.join('\n');
}

const plain: readonly string[] = [
  // Quotes and what they hide.
  together(
    `echo 'a' "b" 'it'\\''s' "it's" \\"x\\"`,
    `echo "a 'b' \\"c\\" \\$d \\\`e\\\`" '$x \`y\` \\z'`,
    `printf '<%s>' '' "" ''"" $empty "$empty" '  a  b '; echo`,
    `x="a  b"; echo $x "$x" '$x' "\${x/a/'q'}" \${#x}`,
    `echo $'it\\'s\\ttab\\x41\\u20ac' $"translated"`,
    'echo `echo \\`echo deep\\`` $(echo "$(echo "in \\"quotes\\"")")',
    'echo \\\\ \\\\\\\\ "\\\\" \'\\\\\' \\a \\$HOME',
    `echo a"b"'c'd\\ e`,
  ),
  together(
    'echo !x "!y" \'!z\' "a!" !!; ! false; echo $?; [ ! -e nothing ] && echo none',
    'echo $HOME ~ ~/x "~" $((1+2)) ${undefined-default} ${undefined:=set}$undefined',
    'echo * ? [a-z]* {1..3} {a,b}c "{a,b}" \\*',
    'echo $0 $# "$@" "$*" $-; echo $LINENO',
    'echo "$BASH_EXECUTION_STRING" | head -c 40',
  ),
  // Lines.
  'echo one\necho two\n\n\necho three',
  'echo one \\\n  two \\\n\tthree',
  'echo a\r\necho b\r\n',
  'echo \'a\nb\n\'; echo "c\nd"',
  '\n\n  echo after blank lines\n\n',
  'for i in 1 2\ndo\n  echo $i\ndone\n',
  // Heredocs and what is like them.
  together(
    "cat <<'E'\n$x `y` 'z' \"w\" \\\nE\necho after",
    'v=5; cat <<E\n$v $((v*2)) `echo sub` "q" \\$v\nE',
    "cat <<-'E'\n\t\ttabs\n\tE\necho after",
  ),
  together(
    'cat <<A; cat <<B\nfirst\nA\nsecond\nB',
    "cat <<'E' | tr a-z A-Z; echo ${PIPESTATUS[*]}\npiped 'text'\nE",
    "bash <<'OUTER'\ncat <<'INNER'\nit's inside\nINNER\nOUTER",
  ),
  "cat <<'E'\nnever ended",
  together(
    'cat <<< "here $((1+1))" ; read a b <<< "x y z"; echo "$b"',
    'cat <(echo one) <(echo two); diff <(echo a) <(echo b)',
  ),
  'echo to-sub > >(cat); wait; sleep 0.1',
  // Comments and next to nothing.
  '',
  '\n',
  ':',
  '# only a comment',
  "# a comment with 'an open quote\necho after",
  'echo a # b \' " `\n#c\necho d#e',
  // What is wrong.
  'echo "never closed',
  "echo 'never closed",
  'echo `never closed',
  'echo $(never closed',
  'if true; then echo x',
  'echo x; )',
  '}',
  'no-such-command --at-all; echo $?',
  '/etc/passwd; echo $?',
  './not-there; echo $?; cat /nonexistent/file',
  'echo ${x:?is not set}; echo no',
  // Exits and signals.
  'exit 0; echo no',
  'echo a; exit 7; echo no',
  '(exit 3); echo $?; exit 256',
  'false',
  '(sh -c "kill -SEGV \\$\\$"; exit $?) 2> /dev/null; echo $?',
  'set -o pipefail; yes | head -1; echo "${PIPESTATUS[*]}"',
  'timeout 0.1 sleep 5; echo $?',
  // Options, functions, aliases, traps.
  'set -e; echo a; false; echo no',
  'set -eu -o pipefail; false | true; echo no',
  'set -u; echo $nothing; echo no',
  'set -x; echo traced "a b"',
  'set -n; echo never',
  together(
    'f() { local x=$1; echo "f $x $#"; return 4; }; f "a b" c; echo $?',
    'function g { echo g; }; export -f g; bash -c g',
  ),
  'shopt -s expand_aliases\nalias hi="echo hello"\nhi there',
  'alias hi="echo hello"; hi there',
  'trap "echo bye" EXIT; echo a; exit 5',
  "trap 'echo got USR1' USR1; kill -USR1 $$; echo after",
  "trap 'echo err at $LINENO' ERR; false; echo b",
  "trap 'exit 9' TERM; kill $$; sleep 1; echo no",
  together(
    'a=(1 "2 3" 4); echo "${#a[@]}" "${a[@]:1}"; declare -A m=([k]=v); echo ${m[k]}',
    'select x in a b; do echo $x; done',
    'case "a b" in *\\ *) echo blank;; esac; [[ abc =~ ^a(.)c$ ]] && echo ${BASH_REMATCH[1]}',
  ),
  // Processes.
  'exec echo replaced; echo no',
  'exec 3>&1; echo three >&3; exec 3>&-; echo x >&3',
  'exec 1>&2; echo on stderr',
  'exec no-such-program; echo no',
  'sleep 0.2 & echo started; wait; echo waited',
  '(sleep 0.3; echo late) & echo now',
  'sleep 3 > /dev/null 2>&1 & echo not waited for',
  together(
    '{ echo a; echo b >&2; } 2>&1 | sort -r; (echo sub; cd /; pwd); pwd | wc -l',
    'coproc cat; echo via >&"${COPROC[1]}"; read -r l <&"${COPROC[0]}"; echo $l',
    'nohup echo x 2>/dev/null; setsid echo y; env -i /bin/echo z',
    'sh -c \'echo "$1-$0"\' zero "one two"; bash -c "exit 6"; echo $?',
    'A=1 B="2 3" env | grep -E "^[AB]=" | sort; echo $A',
  ),
  'umask 027; umask; umask -S; touch masked; stat -c %a masked',
  'ulimit -S -n 99; ulimit -n; ulimit -c; ulimit -s',
  // Bytes.
  together(
    "printf '\\xff\\xfe\\x00\\x80ok\\n'",
    "printf 'a\\0b' | od -c; x=$'\\xc3\\x28'; echo \"$x\" | od -An -tx1",
    "touch $'bad\\xffname'; ls | od -An -c; rm b*",
    'echo "ümläut € 😀 \u202e"; printf "%s" "no newline"',
    "echo $'\\e[31mred\\e[0m\\a'",
  ),
  'seq 1 100000',
  'head -c 1500000 /dev/zero | tr "\\0" x; echo err >&2',
  'seq 1 30000 >&2',
];

const withText = [
  'cat',
  'read -r x; echo "[$x]"; cat',
  'while read -r l; do echo "<$l>"; done',
  'exec cat',
  'cat < /dev/null; wc -l',
];
const merged = [
  'echo a; echo b >&2; echo c',
  'ls /nonexistent; echo $?; echo "no',
  'for i in 1 2 3; do echo o$i; echo e$i >&2; done',
];

const long = (n: number): string => `it's a "line" of $text \`number\` ${n} \\ # !\n`;
/** Longer than one argument may be. */
export const LONG: readonly string[] = [
  `cat <<'END' | md5sum\n${Array.from({ length: 5000 }, (_, n) => long(n)).join('')}END\nexit 3\n`,
  `${Array.from({ length: 6000 }, (_, n) => `x=$((\${x:-0} + ${n})) # it's €\n`).join('')}echo "$x"; echo err >&2\n`,
];

export const CASES: readonly Case[] = [
  ...plain.map((command) => ({ command })),
  ...withText.map((command) => ({ command, stdin: 'text' as const })),
  // Here the two differ by nature, and each is known.
  { command: 'kill -TERM $$; echo no', raw: { code: 'SIGTERM' }, wrapped: { code: 143 } },
  { command: 'kill -KILL $$', raw: { code: 'SIGKILL' }, wrapped: { code: 137 } },
  {
    command: 'read x; echo "$? [$x]"',
    stdin: 'closed',
    raw: { stderr: /Bad file descriptor\n$/ },
    wrapped: { stderr: /^$/ },
  },
  { command: 'echo "[$YOLOFS_VIEW]"', raw: { stdout: '[]\n' }, wrapped: { stdout: '[1]\n' } },
  ...merged.map((command) => ({ command, merged: true as const })),
  ...LONG.map((command) => ({ command })),
];
