/**
 * What kind a failure is of, for programs: messages are for people and change. The code goes through the daemon's socket,
 * into `--json` and to the exit code. A code that is given up is never used again for anything else.
 */
export const ERROR_CODES = {
  refused: { exit: 1, means: 'not possible as things are; the message says why' },
  usage: { exit: 2, means: 'the words of a command, or a request at the socket, make no sense' },
  config: { exit: 1, means: 'a file of settings makes no sense, or cannot be changed' },
  conflict: { exit: 1, means: 'what it is about was changed meanwhile; nothing was written' },
  outdated: { exit: 3, means: 'what was chosen is not, or no more, what is staged; nothing was changed' },
  busy: { exit: 1, means: 'something else is at work, or not ready yet; later it may be possible' },
  person: { exit: 1, means: 'a person has to agree, and there is none, or they did not' },
  system: { exit: 1, means: 'a system call failed; `errno` is its name' },
  internal: { exit: 1, means: 'a defect of yolofs' },
} as const satisfies Readonly<Record<string, { readonly exit: number; readonly means: string }>>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** What came as a code over a socket; of one that this version does not know `refused`. */
export function toErrorCode(value: unknown): ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value) ? (value as ErrorCode) : 'refused';
}
