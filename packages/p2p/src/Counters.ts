/** Counts of events that do not justify a disconnect. Each number only grows. */
export interface Counters {
  /** Frames read, empty ones included. */
  framesRead: number
  /** Bytes read, length prefixes included. */
  bytesRead: number
  /** Bodies that did not decode and were skipped. */
  malformedMessages: number
  /** Frames without a known message, skipped. */
  unknownMessages: number
  /** Messages of the consensus engines and gossip, skipped. */
  ignoredMessages: number
  /** Application messages that arrived before the connection was ready, skipped. */
  earlyMessages: number
  /** Own messages dropped because a peer does not read. */
  droppedMessages: number
  /** Number of times that reading from a peer paused because of its rate. */
  throttledReads: number
  /** Application requests whose deadline had passed on arrival; not handled. */
  expiredRequests: number
  /** Second answers to one application request by the handler; not sent. */
  repeatedReplies: number
  /** Answers to requests that were never made. */
  unsolicitedAnswers: number
  /** Answers to requests that were already answered. */
  repeatedAnswers: number
  /** Answers to requests that had timed out or were aborted. */
  lateAnswers: number
}

/** Returns counters at zero. */
export function createCounters(): Counters {
  return {
    framesRead: 0,
    bytesRead: 0,
    malformedMessages: 0,
    unknownMessages: 0,
    ignoredMessages: 0,
    earlyMessages: 0,
    droppedMessages: 0,
    throttledReads: 0,
    expiredRequests: 0,
    repeatedReplies: 0,
    unsolicitedAnswers: 0,
    repeatedAnswers: 0,
    lateAnswers: 0,
  }
}
