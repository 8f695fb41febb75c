/** What the service is put together of. */
import type { Holder } from '../sandbox/holder.ts';
import type { FuseWorker } from './fuse-worker.ts';
import type { LiveConfig } from './life/live-config.ts';
import type { HostMount } from './outside/host-mount.ts';
import type { Position } from './position.ts';
import type { RuleKeeper } from './questions/rule-keeper.ts';
import type { Watchers } from './questions/watchers.ts';
import type { CommitRequests } from './requests/requests.ts';
import type { Runs } from './runs/runs.ts';
import type { SessionFiles } from './runs/session-files.ts';
import type { Sources } from './sources/sources.ts';
import type { StoreCare } from './store/store-care.ts';
import type { Echo } from './view/echo.ts';
import type { Notifiers } from './view/invalidate.ts';

export interface ServiceParts {
  readonly config: LiveConfig;
  readonly worker: FuseWorker;
  readonly holder: Holder;
  readonly notifiers: Notifiers;
  readonly echo: Echo;
  readonly files: SessionFiles;
  readonly runs: Runs;
  readonly care: StoreCare;
  readonly rules: RuleKeeper;
  readonly watchers: Watchers;
  readonly requests: CommitRequests;
  readonly sources: Sources;
  readonly position: Position;
  readonly outside: HostMount;
  /** Resolves when the view has what has happened on the host by now, as far as it is copied there. */
  readonly catchUp: () => Promise<void>;
  /** Mounts what agents keep by now. Rejects with a UserError where the view that runs cannot take it. */
  readonly adopt: () => Promise<void>;
  /** Ends the daemon, all but its process and, if a person asked for it, empties the view's /tmp. */
  readonly stop: (isAsked: boolean) => Promise<void>;
}
