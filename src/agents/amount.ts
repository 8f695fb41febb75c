/** `1 change`, `2 changes`. */
export function amount(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
