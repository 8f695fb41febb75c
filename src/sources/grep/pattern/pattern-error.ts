/** A pattern that is none; the message is grep's, perhaps of several lines. */
export class PatternError extends Error {}
