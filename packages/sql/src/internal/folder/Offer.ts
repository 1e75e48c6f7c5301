import type { PGlite, Transaction } from '@electric-sql/pglite'
import { isFirnError } from '@firn/codec'
import { StoreError, type StoreErrorCode } from '../../StoreError.ts'
import { wrap } from '../failures.ts'
import type { Client } from './FolderLock.ts'
import { send } from './Frames.ts'
import type { Answer, Failure, Request } from './Messages.ts'

/** Options of {@link createOffer}. */
export interface OfferOptions {
  /**
   * Maximum time that a client's transaction may be idle between statements, in milliseconds; 5,000 by
   * default.
   */
  readonly idleMs?: number | undefined
  /** Maximum duration of a client's transaction, in milliseconds; 30,000 by default. */
  readonly mostMs?: number | undefined
  /** Returns milliseconds since an arbitrary start. */
  readonly now?: (() => number) | undefined
  /** Returns a promise that resolves after `ms` milliseconds. */
  readonly rest?: ((ms: number) => Promise<void>) | undefined
}

const IDLE = 5_000
const MOST = 30_000

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/**
 * Returns a function that serves a client from a PGlite database of this process. PGlite has only one connection.
 * Each transaction, and each statement outside of a transaction, uses the connection exclusively, with the client's
 * schema. A transaction is rolled back if its client disconnects. Clients wait for each other. After each
 * transaction, the database is reserved for this process for as long as the transaction took, so clients use it for
 * at most half of the time.
 */
export function createOffer(
  database: Promise<PGlite>,
  options: OfferOptions = {},
): (client: Client) => Promise<void> {
  const { idleMs = IDLE, mostMs = MOST, now = () => performance.now(), rest = sleep } = options
  let last: Promise<unknown> = Promise.resolve()

  /** Runs `work` in a transaction when it is the client's turn. */
  const take = <T>(schema: string, work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    let held = 0
    const result = last.then(async () =>
      (await database).transaction(async (transaction) => {
        const start = now()
        try {
          // `exec` is used instead of `query`, because a transaction's isolation level can't be set after a
          // query.
          await transaction.exec(`set local search_path to "${schema.replaceAll('"', '""')}"`)
          return await work(transaction)
        } finally {
          held = now() - start
        }
      }),
    )
    last = result.catch(() => undefined).then(() => rest(held))
    return result
  }

  return async ({ socket, schema, requests }) => {
    let open: Open | undefined
    let until = 0
    let timer: NodeJS.Timeout | undefined
    const answer = async (request: Request): Promise<Answer> => {
      if (request.kind === 'begin') {
        open = await begin((work) => take(schema, work))
        until = now() + mostMs
        return DONE
      }
      if (request.kind === 'query' && open === undefined) {
        return take(schema, (transaction) => query(transaction, request))
      }
      if (request.kind === 'query' && open !== undefined && now() < until) {
        return query(open.transaction, request)
      }
      const ending = open
      open = undefined
      if (request.kind === 'query') {
        await ending?.end(false)
        throw tooLong(mostMs)
      }
      await ending?.end(request.kind === 'commit')
      return DONE
    }
    try {
      for await (const request of requests) {
        clearTimeout(timer)
        send(
          socket,
          await answer(request as Request).catch((error: unknown) => ({ error: failureOf(error) })),
        )
        if (open !== undefined) timer = setTimeout(() => socket.destroy(), idleMs).unref()
      }
    } finally {
      clearTimeout(timer)
      await open?.end(false).catch(() => undefined)
    }
  }
}

const DONE: Answer = { rows: [], affectedRows: undefined }

/** A transaction that spans several requests. */
interface Open {
  readonly transaction: Transaction
  /** Commits or rolls back the transaction. */
  end(isCommit: boolean): Promise<void>
}

async function begin(
  take: (work: (transaction: Transaction) => Promise<void>) => Promise<void>,
): Promise<Open> {
  const begun = Promise.withResolvers<Transaction>()
  const ended = Promise.withResolvers<boolean>()
  const closed = take(async (transaction) => {
    begun.resolve(transaction)
    if (!(await ended.promise)) await transaction.rollback()
  })
  closed.catch(begun.reject)
  const transaction = await begun.promise
  return {
    transaction,
    end(isCommit) {
      ended.resolve(isCommit)
      return closed
    },
  }
}

async function query(
  transaction: Transaction,
  { text, values, blob }: Extract<Request, { kind: 'query' }>,
): Promise<Answer> {
  const options = blob === undefined ? {} : { blob: new Blob([blob as Uint8Array<ArrayBuffer>]) }
  const { rows, affectedRows } = await transaction.query<Record<string, unknown>>(text, [...values], options)
  return { rows, affectedRows }
}

function tooLong(mostMs: number): StoreError {
  const message = `A transaction may take at most ${mostMs / 1000} s while a service has the database open. Stop the service and run the command again.`
  return new StoreError('STORE_TIMEOUT', message)
}

function failureOf(cause: unknown): Failure {
  const error = wrap(cause)
  if (isFirnError(error)) {
    const { code, message, details } = error
    return { code: code as StoreErrorCode, message, details }
  }
  return { code: 'STORE_QUERY', message: String(error), details: {} }
}
