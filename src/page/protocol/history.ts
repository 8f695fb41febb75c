/** How it came to be. */
import type { ShownEntry } from './review.ts';

export interface TimelineEntry {
  readonly generation: number;
  readonly kind: 'snapshot' | 'travel';
  readonly name: string;
  /** Of a travel: where it went. */
  readonly target?: number;
  /** The generation that it came from; 0: the real files. */
  readonly parent: number;
  /** Counts commits, aborts and undos: what lies between two ends is one. */
  readonly epoch: number;
  /** On the way to the present state. */
  readonly live: boolean;
  /** False: gc has given it up. */
  readonly kept: boolean;
  readonly time: string;
  readonly command?: string;
  /** The head of what it has printed, where an agent's client has told its hook. */
  readonly output?: string;
  readonly ended?: string;
}

/** GET /api/timeline, the oldest first */
export interface TimelineReply {
  readonly entries: readonly TimelineEntry[];
  readonly generation: number;
}

/** POST /api/travel */
export interface TravelRequest {
  readonly generation: number;
}

export interface TravelReply {
  readonly target: number;
  readonly name: string;
  /** The generation that leads back. */
  readonly from: number;
  readonly changes: number;
  /** What runs in the view, and keeps what it has open. */
  readonly running: readonly string[];
}

/** GET /api/compare?a=&b=&from=&count=; of one of its entries: GET /api/file?id=&a=&b= */
export interface CompareReply {
  readonly entries: readonly ShownEntry[];
  readonly total: number;
}

export interface AuditRecord {
  readonly time: string;
  readonly generation: number;
  /** What was done, in words. */
  readonly what: string;
  readonly process?: string;
  readonly pid?: number;
  readonly command?: string;
}

/** GET /api/audit?id= : the latest 500, the latest first */
export interface AuditReply {
  readonly records: readonly AuditRecord[];
}

/** Lines from `start` on (of the new side, from 1), `count` of them, were written by this command; missing: they were there before. */
export interface BlameRange {
  readonly start: number;
  readonly count: number;
  readonly generation: number;
  readonly command?: string;
}

/** GET /api/blame?id= */
export interface BlameReply {
  readonly ranges: readonly BlameRange[];
}
