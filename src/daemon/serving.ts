/** The session while its view is served: what the service works with. */
import type { Holder } from '../sandbox/holder.ts';
import type { NodeId } from '../sys/bytes.ts';
import { log } from '../sys/log.ts';
import type { MainSession } from './main-session.ts';
import type { Loaded } from './orders/answers.ts';
import { RuleKeeper } from './questions/rule-keeper.ts';
import { Position } from './runs/position.ts';
import { Runs } from './runs/runs.ts';
import type { SessionFiles } from './runs/session-files.ts';
import { StoreCare } from './store/store-care.ts';
import type { StoreCount } from './store/store-count.ts';
import { Echo } from './view/echo.ts';
import { openNotifiers } from './view/invalidate.ts';
import type { ServedView } from './view/served-view.ts';

/** A view that was just made, and what was opened for it. */
export interface MadeView {
  readonly holder: Holder;
  /** The root of the second mount; 0: there is none. */
  readonly fastRoot: NodeId;
  readonly loaded: Loaded;
  readonly files: SessionFiles;
  readonly count: StoreCount;
  /** The daemon before this one was: it may have left contents over that nothing names. */
  readonly wasKilled: boolean;
}

type OfSession = Pick<MainSession, 'config' | 'outside' | 'watchers' | 'requests' | 'sources'>;

export interface Serving extends ServedView, OfSession {
  readonly echo: Echo;
  readonly files: SessionFiles;
  readonly runs: Runs;
  readonly care: StoreCare;
  readonly rules: RuleKeeper;
  readonly position: Position;
  /** Resolves when the view has what has happened on the host by now, as far as it is copied there. */
  readonly catchUp: () => Promise<void>;
  /** Mounts what agents keep by now. Rejects with a UserError where the view that runs cannot take it. */
  readonly adopt: () => Promise<void>;
}

/** From now on what changes outside, and other rules, reach the view. */
export function beginServing(session: MainSession, made: MadeView): Serving {
  const { config, worker, places, outside, watchers, requests, sources } = session;
  const { holder, fastRoot, loaded, files } = made;
  const view = { worker, holder, notifiers: openNotifiers(holder, fastRoot) };
  const echo = new Echo(view);
  const rules = RuleKeeper.begin(view, config);
  session.served = { echo, rules };
  places.show(holder.tmp, config.current.rules);
  return {
    ...view,
    ...{ config, outside, watchers, requests, sources, echo, files, rules },
    runs: new Runs(loaded.lastRun, (active) => {
      worker.order('runs', { active, holder: holder.pid }).catch((error: Error) => log(error.message));
    }),
    care: new StoreCare({ worker, ...made }),
    position: new Position(loaded),
    catchUp: () => places.catchUpWith(echo),
    adopt: () => places.adopt(config.current, { holder, echo, hasSecondMount: fastRoot !== 0 }),
  };
}
