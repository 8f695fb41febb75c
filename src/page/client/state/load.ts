/** Asks the server for what a part of the page shows, and anew when the session has changed. */
import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../../protocol.ts';
import { ApiError, get, type Parameters } from './api.ts';
import { fail } from './messages.ts';
import { usePart } from './store.ts';

export interface Loaded<T> {
  /** What was answered last; kept in sight until the next answer is there. */
  readonly reply?: T;
  readonly failure?: Failure;
}

/** Without a route nothing is asked. Another `what` forgets the last answer; other parameters keep it until the next. */
export function useLoaded<T>(what: string, route: string | undefined, parameters: Parameters = {}): Loaded<T> {
  const version = usePart(({ review }) => review?.version);
  const round = usePart((state) => state.round);
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly what?: string }>({});
  const asked = JSON.stringify(parameters);
  useEffect(() => {
    if (route === undefined) return;
    let isWanted = true;
    get<T>(route, JSON.parse(asked) as Parameters)
      .then((reply) => isWanted && setLoaded({ what, reply }))
      .catch((error: unknown) => {
        if (!isWanted) return;
        if (error instanceof ApiError && error.status !== 0 && error.status !== 401) {
          setLoaded({ what, failure: error.failure });
        } else fail(error);
      });
    return () => {
      isWanted = false;
    };
  }, [what, route, asked, version, round]);
  return loaded.what === what ? loaded : {};
}
