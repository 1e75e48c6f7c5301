import type { PGlite, PGliteQueryOptions, PGliteTransaction } from 'kysely'
import { StoreError } from '../../StoreError.ts'
import { createTurns } from '../turns.ts'
import type { Attached } from './FolderLock.ts'
import { send } from './Frames.ts'
import type { Answer, Request } from './Messages.ts'

type Result = Extract<Answer, { rows: unknown }>

/**
 * Implements the part of PGlite's interface that drivers use, over a connection to the process that has the
 * folder open.
 */
export function createRemoteDatabase({ socket, answers }: Attached): PGlite {
  const waiting: PromiseWithResolvers<Result>[] = []
  let isLost = false
  let isClosed = false

  const read = async () => {
    for await (const answer of answers as AsyncGenerator<Answer>) {
      const asked = waiting.shift()
      if ('error' in answer) {
        const { code, message, details } = answer.error
        asked?.reject(new StoreError(code, message, { details }))
      } else asked?.resolve(answer)
    }
  }
  const end = (cause?: unknown) => {
    isLost = true
    for (const { reject } of waiting.splice(0)) reject(lost(cause))
  }
  void read().then(() => end(), end)

  const ask = (request: Request): Promise<Result> => {
    if (isLost || isClosed) return Promise.reject(lost())
    const asked = Promise.withResolvers<Result>()
    waiting.push(asked)
    send(socket, request)
    return asked.promise
  }
  const query = async <T>(
    text: string,
    values: readonly unknown[] = [],
    options: PGliteQueryOptions = {},
  ) => {
    const blob = options.blob && new Uint8Array(await options.blob.arrayBuffer())
    const { rows, affectedRows } = await ask({ kind: 'query', text, values, blob })
    return { rows: rows as T[], fields: [], ...(affectedRows === undefined ? {} : { affectedRows }) }
  }
  // The connection has only one transaction at a time.
  const inTurn = createTurns()

  return {
    ready: true,
    waitReady: Promise.resolve(),
    get closed() {
      return isClosed
    },
    query: (text, values, options) => inTurn(() => query(text, values, options)),
    transaction: <T>(work: (transaction: PGliteTransaction) => Promise<T>) =>
      inTurn(async () => {
        await ask({ kind: 'begin' })
        let isOpen = true
        const rollback = async () => {
          isOpen = false
          await ask({ kind: 'rollback' })
        }
        try {
          const result = await work({ query, rollback })
          if (isOpen) await ask({ kind: 'commit' })
          return result
        } catch (error) {
          if (isOpen) await rollback().catch(() => undefined)
          throw error
        }
      }),
    async close() {
      isClosed = true
      socket.end()
    },
  }
}

function lost(cause?: unknown): StoreError {
  const message = 'The process that has the database open closed the connection. Run the command again.'
  return new StoreError('STORE_UNAVAILABLE', message, { cause })
}
