import type { StoreErrorCode } from '../../StoreError.ts'

/** The first frame of a connecting process. */
export interface Hello {
  /** Whether the database will be used; otherwise the frame only asks for its owner. */
  readonly isAttaching: boolean
  /** The schema in which statements find their tables. */
  readonly schema: string
}

/** The owner's answer to {@link Hello}. */
export interface Welcome {
  /** The process that has the folder open. */
  readonly pid: number
  /** False when the owner does not share the database: then the connection ends. */
  readonly isShared: boolean
}

/** A client's request; the owner answers each with one {@link Answer}, in the order of the requests. */
export type Request =
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | {
      readonly kind: 'query'
      readonly text: string
      readonly values: readonly unknown[]
      /** The contents of `/dev/blob` for a COPY. */
      readonly blob: Uint8Array | undefined
    }

/** The result of a request. */
export type Answer =
  | { readonly rows: readonly Record<string, unknown>[]; readonly affectedRows: number | undefined }
  | { readonly error: Failure }

/** The serialized form of an error. */
export interface Failure {
  readonly code: StoreErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}
