import type { StoreErrorCode } from '../../StoreError.ts'

/** The first message of a connecting process. */
export interface Hello {
  /** Whether the process wants to use the database. Otherwise it only asks which process is the owner. */
  readonly isAttaching: boolean
  /** Schema in which statements find their tables. */
  readonly schema: string
}

/** The owner's response to {@link Hello}. */
export interface Welcome {
  /** Process id of the process that has the folder open. */
  readonly pid: number
  /** Whether the owner shares the database. If not, the owner closes the connection. */
  readonly isShared: boolean
}

/** A client's request. The owner responds to each with one {@link Answer}, in the order of the requests. */
export type Request =
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | {
      readonly kind: 'query'
      readonly text: string
      readonly values: readonly unknown[]
      /** Contents of `/dev/blob` for a COPY. */
      readonly blob: Uint8Array | undefined
    }

/** The response to a request. */
export type Answer =
  | { readonly rows: readonly Record<string, unknown>[]; readonly affectedRows: number | undefined }
  | { readonly error: Failure }

/** The serialized form of an error. */
export interface Failure {
  readonly code: StoreErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}
