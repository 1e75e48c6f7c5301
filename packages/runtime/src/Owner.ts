/** Something that must be closed, such as a connection, a server or worker threads. */
export interface Closable {
  close(): unknown
}

/** Owns the resources of a program, and closes them in the reverse order of their opening. */
export interface Owner {
  /** Closes `resource` when the owner closes, and returns it. Undefined stands for a resource that is not used. */
  own<T extends Closable | undefined>(resource: T): T
  /**
   * Calls `close` when the owner closes, at the turn of a resource that was opened now. What is added to an owner that has
   * closed is closed at once, and its error is ignored.
   */
  onClose(close: () => unknown): void
  /**
   * Closes the resources, the last one first, and waits for each of them. If one fails, the others are closed nevertheless.
   * Further calls return the same promise, so a resource must not wait for it while it closes.
   * @throws the error of the resource that failed; AggregateError if several failed
   */
  close(): Promise<void>
}

/**
 * Creates an owner without resources.
 *
 * @example
 * ```ts
 * import { createOwner } from '@firn/runtime'
 *
 * const owner = createOwner()
 * const opened = (name: string) => ({ name, close: () => console.log(`${name} is closed`) })
 * const database = owner.own(opened('database'))
 * owner.own(opened(`server of the ${database.name}`))
 * await owner.close() // the server first
 * ```
 */
export function createOwner(): Owner {
  const steps: (() => unknown)[] = []
  let closing: Promise<void> | undefined
  let isClosed = false
  const onClose = (close: () => unknown) => {
    steps.push(close)
    if (isClosed) void closeAll(steps).catch(() => undefined)
  }
  return {
    own: (resource) => {
      if (resource !== undefined) onClose(() => resource.close())
      return resource
    },
    onClose,
    close: () => {
      // The first step may call this, so it must not run before the promise is kept.
      closing ??= Promise.resolve()
        .then(() => closeAll(steps))
        .finally(() => {
          isClosed = true
        })
      return closing
    },
  }
}

/**
 * Opens something that consists of several resources. If `open` fails, the resources that it has opened are closed, and
 * its error is thrown, even if closing fails as well.
 *
 * @throws the error of `open`
 * @example
 * ```ts
 * import { withOwner } from '@firn/runtime'
 *
 * const connect = async (name: string) => ({ name, close: async () => undefined })
 * const service = await withOwner(async (owner) => {
 *   const database = owner.own(await connect('database'))
 *   const cache = owner.own(await connect('cache'))
 *   return { database, cache, close: owner.close }
 * })
 * await service.close()
 * ```
 */
export async function withOwner<T>(open: (owner: Owner) => Promise<T>): Promise<T> {
  const owner = createOwner()
  try {
    return await open(owner)
  } catch (error) {
    await owner.close().catch(() => undefined)
    throw error
  }
}

async function closeAll(steps: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  // A resource that is opened in the meantime is closed as well.
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} resources were not closed`)
  if (errors.length === 1) throw errors[0]
}
