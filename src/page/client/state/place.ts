/** Where the person is, in the address: a reload, and the browser's way back, lead there again. */
import { current, type Open, type Place, type Settings, update } from './store.ts';

const SETTINGS = 'settings';

/** What the server wrote behind the address's `#`, once; a place starts with a slash. */
export function takeToken(): string | undefined {
  const said = location.hash.slice(1);
  if (said === '' || said.startsWith('/')) return undefined;
  history.replaceState(null, '', '#/changes');
  return said;
}

export function goTo(place: Place): void {
  const hash = hashOf(place);
  if (hash !== location.hash) history.pushState(null, '', hash);
  update({ place });
}

/** What of the list was open last: whoever comes back from another view finds it. */
let lastOpen: Open | undefined;

/** The list as it was left; asked for once more, the list alone. */
export function goToTab(tab: Place['tab']): void {
  const { place } = current();
  if (place.tab === 'changes') lastOpen = place.open;
  if (tab !== 'changes') goTo({ tab });
  else goTo(place.tab === tab || lastOpen === undefined ? { tab } : { tab, open: lastOpen });
}

/** Opens something of the list. */
export function open(what: Open): void {
  goTo({ tab: 'changes', open: what });
}

export function watchAddress(): void {
  const settings = localStorage.getItem(SETTINGS);
  if (settings !== null)
    update({ settings: { ...current().settings, ...(JSON.parse(settings) as Partial<Settings>) } });
  update({ place: placeOf(location.hash) });
  const wide = matchMedia('(width >= 800px)');
  update({ isWide: wide.matches });
  wide.addEventListener('change', ({ matches }) => update({ isWide: matches }));
  addEventListener('popstate', () => update({ place: placeOf(location.hash) }));
}

export function change(settings: Partial<Settings>): void {
  const all = { ...current().settings, ...settings };
  localStorage.setItem(SETTINGS, JSON.stringify(all));
  update({ settings: all });
}

function hashOf(place: Place): string {
  const words = ((): readonly (string | number)[] => {
    if (place.tab === 'timeline') return place.compare ?? [];
    if (place.tab !== 'changes' || place.open === undefined) return [];
    const { open } = place;
    if (open.kind === 'entry') return ['entry', open.id];
    return open.kind === 'group' ? ['group', open.name] : ['directory', open.group, open.path];
  })();
  return `#/${[place.tab, ...words.map((word) => encodeURIComponent(word))].join('/')}`;
}

function placeOf(hash: string): Place {
  const [tab, ...words] = hash.replace(/^#\//, '').split('/').map(decoded);
  if (tab === 'questions' || tab === 'sessions') return { tab };
  if (tab === 'timeline') {
    const [a, b] = words.map(Number);
    return a === undefined || b === undefined ? { tab } : { tab, compare: [a, b] };
  }
  const opened = openOf(words);
  return opened === undefined ? { tab: 'changes' } : { tab: 'changes', open: opened };
}

function openOf([kind, one, other]: readonly string[]): Open | undefined {
  if (one === undefined) return undefined;
  if (kind === 'entry') return { kind, id: one };
  const name = GROUPS.find((group) => group === one);
  if (name === undefined) return undefined;
  if (kind === 'group') return { kind, name };
  return kind === 'directory' && other !== undefined ? { kind, group: name, path: other } : undefined;
}

const GROUPS = ['project', 'outside', 'git', 'agent', 'cache', 'ignored'] as const;

/** What is no address of ours stays as it is. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch (error) {
    if (error instanceof URIError) return word;
    throw error;
  }
}
