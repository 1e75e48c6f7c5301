/** Counts of events that do not justify a disconnect. The numbers never decrease. */
export interface Counters {
  /** Number of frames read, empty ones included. */
  framesRead: number
  /** Number of bytes read, length prefixes included. */
  bytesRead: number
  /**
   * Number of messages that were skipped because they could not be decoded, or because their chain id has a wrong
   * length.
   */
  malformedMessages: number
  /** Number of frames without a known message, which were skipped. */
  unknownMessages: number
  /** Number of messages that were skipped because this side does not handle their kind. */
  ignoredMessages: number
  /** Number of messages other than Handshakes, Pings and Pongs that were skipped because they arrived before the handshake was complete. */
  earlyMessages: number
  /** Number of messages to a peer that were dropped because the peer does not read. */
  droppedMessages: number
  /** Number of times that reading from a peer was paused because the peer exceeded its byte rate. */
  throttledReads: number
  /** Number of requests without an answer, because their deadline passed before a handler ran or had finished. */
  expiredRequests: number
  /** Number of chain requests without an answer, because their handler failed or its answer cannot be encoded. */
  failedRequests: number
  /** Number of answers that a handler gave to a request that was already answered; these are not sent. */
  repeatedReplies: number
  /** Number of answers to requests that were never sent, or that are no longer remembered. */
  unsolicitedAnswers: number
  /** Number of answers to requests that were already answered. */
  repeatedAnswers: number
  /** Number of answers to requests that had timed out or were aborted. */
  lateAnswers: number
}

/** Returns counters that are all zero. */
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
    failedRequests: 0,
    repeatedReplies: 0,
    unsolicitedAnswers: 0,
    repeatedAnswers: 0,
    lateAnswers: 0,
  }
}
