import type { Session } from '@firn/sql'

/** Requests that are not yet written to the tables. */
export interface Batch<Request> {
  /** Number of rows to write. */
  readonly size: number
  /** Number of requests added so far. */
  readonly requests: number
  /** Adds a request. Returns false without adding it if that would need more than `most` rows. */
  add(request: Request, most?: number): boolean
  /** Writes the rows in the transaction of the session. */
  write(session: Session): Promise<void>
}
