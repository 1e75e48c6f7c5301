import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { READ_ONLY } from './failures.ts'

/** Delay before a lost connection is opened again, in milliseconds. */
const RETRY = 1000

/** Receives the notifications of a server on one connection, which opens with the first listener. */
export class Notifications {
  readonly #config: pg.ClientConfig
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #closed = new AbortController()
  /** The connection while it is open, with its most recent statement: they run one after the other. */
  #open: { readonly client: pg.Client; last: Promise<unknown> } | undefined
  #isStarted = false

  constructor(config: pg.ClientConfig) {
    this.#config = config
  }

  /**
   * Calls `listener` for each notification of a channel, and whenever notifications may have been missed. Returns a
   * function that removes the listener.
   */
  listen(channel: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    if (!this.#isStarted) void this.#receive()
    else this.#run(listening([channel]), listener)
    this.#isStarted = true
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return
      this.#listeners.delete(channel)
      this.#run(`unlisten ${pg.escapeIdentifier(channel)}`, () => undefined)
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#closed.abort()
  }

  /** Receives notifications until {@link close} is called, and reconnects whenever the connection is lost. */
  async #receive(): Promise<void> {
    const { signal } = this.#closed
    while (!signal.aborted) {
      const client = new pg.Client(this.#config)
      const { promise: lost, resolve } = Promise.withResolvers<void>()
      const onLost = () => resolve()
      client.on('error', onLost).on('end', onLost)
      signal.addEventListener('abort', onLost, { once: true })
      client.on('notification', ({ channel }) => this.#tell(channel))
      try {
        await client.connect()
        this.#open = { client, last: Promise.resolve() }
        while (!signal.aborted && !(await this.#listens())) {
          // A standby server sends no notifications, so the readers look for changes in intervals.
          this.#tellAll()
          await Promise.race([lost, setTimeout(RETRY, undefined, { signal })])
        }
        this.#tellAll()
        await lost
      } catch {
        // Until the connection is back, snapshots expire only by age.
      } finally {
        this.#open = undefined
        signal.removeEventListener('abort', onLost)
        await client.end().catch(() => undefined)
      }
      await setTimeout(RETRY, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Starts to listen to all channels. Returns false on a standby server, which rejects it. */
  async #listens(): Promise<boolean> {
    try {
      await this.#query(listening([...this.#listeners.keys()]))
      return true
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === READ_ONLY) return false
      throw error
    }
  }

  /** Runs a statement if the connection is open. If it is lost, all channels are listened to again. */
  #run(statement: string, done: () => void): void {
    this.#query(statement).then(done, () => undefined)
  }

  #query(statement: string): Promise<unknown> {
    const open = this.#open
    if (open === undefined) return Promise.reject(new RangeError('the connection is not open'))
    const run = () => open.client.query(statement)
    open.last = open.last.then(run, run)
    return open.last
  }

  #tell(channel: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener()
  }

  #tellAll(): void {
    for (const channel of this.#listeners.keys()) this.#tell(channel)
  }
}

function listening(channels: readonly string[]): string {
  return channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join('; ')
}
