import type pg from 'pg'

/** Number of bytes per message. The server processes messages as they arrive. */
const CHUNK = 1 << 18

/**
 * A `copy … from stdin` statement with its rows, as an object that the `pg` driver can submit. The driver defines the
 * method names.
 */
export class CopyIn implements pg.Submittable {
  readonly done: Promise<void>
  readonly #text: string
  readonly #rows: Uint8Array
  readonly #settle: { resolve: () => void; reject: (error: Error) => void }
  #failure: Error | undefined

  constructor(text: string, rows: Uint8Array) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.done = promise
    this.#settle = { resolve, reject }
    this.#text = text
    this.#rows = rows
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (let at = 0; at < this.#rows.length; at += CHUNK) {
      connection.sendCopyFromChunk(this.#rows.subarray(at, at + CHUNK))
    }
    connection.endCopyFrom()
  }

  handleError(error: Error): void {
    this.#failure = error
    this.#settle.reject(error)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.#settle.resolve()
  }
}

/** The members of the driver's connection that COPY needs and that the driver's types don't declare. */
interface CopyConnection {
  readonly sendCopyFromChunk: (chunk: Uint8Array) => void
  readonly endCopyFrom: () => void
}
