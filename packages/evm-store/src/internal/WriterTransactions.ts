import { assertFence, channelName, type Partitions, PLANS, type Session, StoreError } from '@firn/sql'
import * as EvmSnapshots from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import type { Tip } from './Added.ts'
import { loadCollections } from './collections.ts'
import { cursorOf } from './EvmBatch.ts'
import type { Collections } from './idTransfers.ts'
import { firstUntraced, loadBlock, reserve, storeCursor, type WriterState } from './opening.ts'
import { commitTogether } from './sharding.ts'
import { untilFinished } from './unfinished.ts'

/** The result of a database transaction. */
export interface Changed {
  /** Names of the partitions that the database transaction created. */
  readonly made: readonly string[]
  readonly tip: Tip
}

/**
 * The database transactions of a writer: they are fenced, run one after another, and know the chain's tip. After an error,
 * all later ones fail.
 */
export class WriterTransactions {
  readonly isSharded: boolean
  readonly partitions: Partitions
  missingIndexes: number
  /** Height of the first block without its traces; undefined if there is none. */
  untracedFrom: bigint | undefined
  collections: Collections
  tip: Tip
  /** The tip after all pending batches are stored. */
  next: Tip
  readonly #store: EvmStore
  readonly #fence: bigint
  /** The last sequence number that is reserved for this writer. */
  #reserved: bigint
  #turn: Promise<void> = Promise.resolve()
  #ready: Promise<void> = Promise.resolve()
  #failure: unknown

  constructor(store: EvmStore, opened: WriterState) {
    this.#store = store
    this.#fence = opened.fence
    this.isSharded = opened.isSharded
    this.partitions = opened.partitions
    this.tip = opened.tip
    this.next = opened.tip
    this.#reserved = opened.tip.sequence
    this.missingIndexes = opened.missingIndexes
    this.untracedFrom = opened.untracedFrom
    this.collections = opened.collections
  }

  /** Runs `work` after the `work` of all earlier calls has finished. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#ready.then(() => {
      if (this.#failure !== undefined) throw this.#failure
      return work()
    })
    this.#ready = turn.then(
      () => undefined,
      () => undefined,
    )
    return turn
  }

  /** Resolves when all earlier database transactions have ended. */
  stored(): Promise<void> {
    return this.#turn
  }

  /** Runs `work`, which changes stored blocks, in a fenced database transaction. `sequence` is the chain's number after it. */
  async rewrite<T>(sequence: bigint, work: (session: Session) => Promise<T>): Promise<T> {
    const results: T[] = []
    await this.change(async (session) => {
      await session.query(PLANS)
      results.push(await work(session))
      this.collections = await loadCollections(session)
      return { made: [], tip: { block: await loadBlock(session), sequence } }
    })
    this.next = this.tip
    return results[0] as T
  }

  /** Runs `work` in a fenced database transaction, after all earlier ones. */
  change(work: (session: Session) => Promise<Changed>): Promise<void> {
    const turn = this.#turn.then(() => this.#run(work))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #run(work: (session: Session) => Promise<Changed>): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      const { made, tip, reserved, untracedFrom } = await this.#store.driver.transaction(async (session) => {
        await this.#begin(session)
        await this.#assertNothingLost(session)
        const changed = await work(session)
        await storeCursor(session, changed.tip)
        const { sequence } = changed.tip
        const reserved = sequence > this.#reserved ? await reserve(session, sequence) : this.#reserved
        await notify(session, this.#store)
        return { ...changed, reserved, untracedFrom: await firstUntraced(session) }
      })
      this.partitions.add(made)
      this.tip = tip
      this.#reserved = reserved
      this.untracedFrom = untracedFrom
    } catch (error) {
      this.#failure = error
      throw error
    }
    this.#advanced()
  }

  /**
   * Checks that the database still has the last commit. A crashed server may have lost its last transactions,
   * and further commits would leave a gap.
   */
  async #assertNothingLost(session: Session): Promise<void> {
    const [row] = await session.query('select sequence from cursor')
    const expected = this.tip.block === undefined ? undefined : this.tip.sequence
    const actual = row?.['sequence'] as bigint | undefined
    if (actual === expected) return
    const message = `the database server has lost commits: expected the sequence number ${expected ?? 'none'} of the last change, got ${actual ?? 'none'}; open the writer again`
    throw new StoreError('STORE_UNAVAILABLE', message, { details: { expected, actual } })
  }

  /**
   * Runs `work`, which changes only rows that are removed, in a database transaction. The fence is checked and locked at
   * its end, so that commits do not wait for the work.
   */
  remove<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#store.driver.transaction(async (session) => {
      if (this.isSharded) await commitTogether(session)
      const result = await work(session)
      await assertFence(session, this.#fence)
      return result
    })
  }

  /** Runs `work` in a separate, fenced database transaction. */
  fenced<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#store.driver.transaction(async (session) => {
      await this.#begin(session)
      return work(session)
    })
  }

  /**
   * Checks the fence, and on a sharded chain that all parts of earlier commits are there. All servers then commit
   * together.
   */
  async #begin(session: Session): Promise<void> {
    await assertFence(session, this.#fence)
    if (!this.isSharded) return
    await untilFinished(session.query)
    await commitTogether(session)
  }

  #advanced(): void {
    const cursor = cursorOf(this.tip.block)
    // On several servers, readers first check that all of them have committed.
    const isKnown = cursor !== undefined && !this.isSharded && this.missingIndexes === 0
    this.#store.advanced(
      isKnown ? EvmSnapshots.create(cursor, this.tip.sequence, this.untracedFrom) : undefined,
    )
  }
}

/** Notifies readers in all processes of a change as soon as the database transaction is committed. */
export async function notify(session: Session, { schema }: EvmStore): Promise<void> {
  await session.query('select pg_notify($1, $2)', [channelName(schema), ''])
}
