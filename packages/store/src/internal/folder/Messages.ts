import type { StoreErrorCode } from '../../StoreError.ts'

/** The first frame of whoever connects. */
export interface Hello {
  /** Whether the database is to be used; else only who has it is asked. */
  readonly isAttaching: boolean
  /** The schema in which statements find their tables. */
  readonly schema: string
}

/** The owner's answer to it. */
export interface Welcome {
  /** The process that has the folder open. */
  readonly pid: number
  /** False where it does not share the database: then the connection ends. */
  readonly isShared: boolean
}

/** What a client asks for; the owner answers each with one {@link Answer}, in the order of the requests. */
export type Request =
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | {
      readonly kind: 'query'
      readonly text: string
      readonly values: readonly unknown[]
      /** What `/dev/blob` holds, of a COPY. */
      readonly blob: Uint8Array | undefined
    }

/** What became of a request. */
export type Answer =
  | { readonly rows: readonly Record<string, unknown>[]; readonly affectedRows: number | undefined }
  | { readonly error: Failure }

/** An error as it is sent. */
export interface Failure {
  readonly code: StoreErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}
