import type { WebhookSources } from '@firn/service-store'

/** Where the comparison is. */
export interface Progress {
  /** The last compared change. */
  sequence: bigint
  /** Height up to which messages about settled results were queued; undefined before the first of them. */
  settled: bigint | undefined
}

/** A change of a source: a block that was added or removed. */
export interface Change {
  readonly sequence: bigint
}

/** The changes of a source, and what they mean for webhooks. */
export interface Feed<C extends Change> {
  /** Name of the source. */
  readonly source: string
  /** Returns the lowest position after which any webhook gets messages; undefined without webhooks. */
  lowest(): bigint | undefined
  /** Returns the sequence of the newest change. */
  tip(): Promise<bigint>
  /** Returns the next changes. It may raise `progress.sequence` if there is nothing to tell up to it. */
  changesAfter(progress: Progress): Promise<readonly C[]>
  /** Returns what a change means for webhooks, or undefined if it means nothing. It may raise `progress.settled`. */
  compare(change: C, progress: Progress): Promise<WebhookSources.SourceStep | undefined>
  /** Calls a listener when there may be changes. Returns a function that removes the listener. */
  onAdvance(listener: () => void): () => void
}
