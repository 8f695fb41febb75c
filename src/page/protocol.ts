/**
 * What the review page and its server say to each other, over HTTP with JSON. Types only: both sides import them.
 *
 * Every request has the cookie and the key that `POST /api/login` gave (protocol/failure.ts); without them the answer is 401. A
 * POST is `application/json`, with the page's own `Origin`. A failure has a status from 400 on and is a `FailureReply`. POST
 * /api/close ends the server.
 *
 * `version` counts what the server has read of the session: `GET /api/review` reads anew if anything has changed, all else is
 * about what was read last. An entry keeps its `id` for as long as its path is the same.
 */
export type * from './protocol/decide.ts';
export type * from './protocol/failure.ts';
export type * from './protocol/history.ts';
export type * from './protocol/live.ts';
export type * from './protocol/review.ts';
