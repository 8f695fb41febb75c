/** Puts a value at the end of a key's list. A new list each time would be quadratic: a file may have 60,000 names. */
export function appendTo<Key, T>(lists: Map<Key, T[]>, key: Key, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Values by what they have in common, each group in their order, and the groups in the order of their first. */
export function grouped<T, Key>(values: Iterable<T>, keyOf: (value: T) => Key): Map<Key, [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
