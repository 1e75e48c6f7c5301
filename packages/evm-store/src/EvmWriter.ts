import { setImmediate } from 'node:timers/promises'
import type { Block, ContractFacts } from '@firn/evm'
import { commitSettings, lockFence, type Session, StoreError } from '@firn/sql'
import type { EvmChain } from './EvmChain.ts'
import { EVM_PARTITIONED } from './EvmSchema.ts'
import type * as EvmSnapshots from './EvmSnapshot.ts'
import type { EvmStore } from './EvmStore.ts'
import type { EvmWriterOptions } from './EvmWriterOptions.ts'
import type { IndexedBlock } from './IndexedBlock.ts'
import type { Tip } from './internal/Added.ts'
import { Consequences } from './internal/Consequences.ts'
import { turnByAnswer } from './internal/collections.ts'
import { storeReadings } from './internal/contractReadings.ts'
import { buildNextIndex, deferIndexes, type Index } from './internal/deferredIndexes.ts'
import { cursorOf, EvmBatch } from './internal/EvmBatch.ts'
import { assertStored, fill, untraced } from './internal/fillTraces.ts'
import { inParallel } from './internal/inParallel.ts'
import { openChain, type WriterState } from './internal/opening.ts'
import { Pruning, type Run } from './internal/Pruning.ts'
import { assertNotPruned, type PruneOptions } from './internal/prune.ts'
import { firstStale, refreshNext } from './internal/staleDigests.ts'
import { type CheckResults, storeChecks } from './internal/storeChecks.ts'
import { undo } from './internal/undo.ts'
import { type Changed, notify, WriterTransactions } from './internal/WriterTransactions.ts'
import * as Blocks from './queries/Blocks.ts'

const REMEMBERED = 100_000

/**
 * Writes blocks to a chain's schema. It can write until another process takes the lease or opens a writer
 * without a lease.
 */
export class EvmWriter {
  readonly #store: EvmStore
  readonly #chain: EvmChain
  readonly #transactions: WriterTransactions
  readonly #consequences: Consequences
  readonly #hasLogs: boolean
  readonly #pruning: Pruning

  private constructor(store: EvmStore, chain: EvmChain, opened: WriterState, options: EvmWriterOptions) {
    this.#store = store
    this.#chain = chain
    const transactions = new WriterTransactions(store, opened)
    this.#transactions = transactions
    this.#hasLogs = options.logs ?? true
    this.#consequences = new Consequences(options.remembered ?? REMEMBERED)
    const fenced: Run = (work) => transactions.fenced(work)
    this.#pruning = new Pruning(store.driver, fenced, (work) => transactions.remove(work))
  }

  /**
   * Makes this process the schema's writer. If the database is empty, the chain is stored first.
   * @throws StoreError `STORE_FENCED` if the lease was lost; `STORE_NETWORK` if another chain is stored, or the same
   * chain with a different first height or trace setting; `STORE_UNAVAILABLE`
   */
  static async open(store: EvmStore, chain: EvmChain, options: EvmWriterOptions = {}): Promise<EvmWriter> {
    if (options.defersIndexes === true) {
      // Citus rejects changes of tables in a transaction that has read them.
      await store.driver.transaction(async (session) => {
        await lockFence(session, options.lease)
        await deferIndexes(session)
      })
    }
    const opened = await store.driver.transaction((session) =>
      openChain(session, store.chainId, chain, options),
    )
    const writer = new EvmWriter(store, chain, opened, options)
    // The snapshot is read again, because the chain may be halted.
    store.advanced(undefined)
    return writer
  }

  /** Position of the stored chain; undefined if no block is stored. */
  get cursor(): EvmSnapshots.EvmPosition | undefined {
    return cursorOf(this.#transactions.tip.block)
  }

  /** Number of missing indexes that requests need. The chain is not served until it is 0. */
  get missingIndexes(): number {
    return this.#transactions.missingIndexes
  }

  /**
   * Builds the indexes that are missing since the chain was opened with `defersIndexes`, each in a separate database
   * transaction, and calls `onBuilt` after each. Then the chain is served. May be called while blocks are committed, which
   * wait meanwhile. When the signal is aborted, the index that is being built is given up; the next call continues.
   * @throws StoreError `STORE_UNAVAILABLE`, `STORE_QUERY`
   */
  async buildIndexes(signal?: AbortSignal, onBuilt: (index: Index) => void = () => undefined): Promise<void> {
    const { driver } = this.#store
    for (;;) {
      const built = await buildNextIndex(driver, signal)
      if (built === undefined) break
      this.#transactions.missingIndexes = built.missing
      onBuilt(built.index)
    }
    if (signal?.aborted === true) return
    await driver.transaction((session) => notify(session, this.#store))
    this.#transactions.missingIndexes = 0
    this.#store.advanced(undefined)
  }

  /**
   * Returns the hash of the stored block at a height, or undefined if none is stored.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async hashAt(height: bigint): Promise<Uint8Array | undefined> {
    const [block] = await Blocks.hashes(this.#store, [height])
    return block?.hash
  }

  /**
   * Returns the time of the stored block at a height in Unix seconds, or undefined if none is stored.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async timeAt(height: bigint): Promise<bigint | undefined> {
    const [block] = await Blocks.hashes(this.#store, [height])
    return block?.time
  }

  /**
   * Returns the addresses among the given ones for which no contract is stored yet.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async unknownContracts(addresses: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    return this.#store.driver.transaction((session) =>
      this.#consequences.contracts.unknown(session, addresses),
    )
  }

  /**
   * Stores consecutive blocks in one database transaction. If it fails, no block is stored. After any error except
   * `STORE_CURSOR` and `STORE_BLOCK`, the writer can no longer be used and must be reopened. May be called again
   * before earlier calls have resolved. The new blocks are then prepared while the earlier ones are stored.
   * @throws StoreError `STORE_FENCED`, `STORE_CURSOR`, `STORE_BLOCK`, `STORE_UNAVAILABLE`
   */
  async commit(blocks: readonly IndexedBlock[]): Promise<void> {
    if (blocks.length === 0) return
    const { stored } = await this.#transactions.inTurn(async () => {
      const before = this.#transactions.next
      const batch = new EvmBatch(this.#chain, before, this.#hasLogs, this.#transactions.collections)
      for (const block of blocks) {
        batch.add(block)
        // Yielding to the event loop lets the batch that is being stored make progress.
        if (blocks.length > 1) await setImmediate()
      }
      this.#transactions.next = batch.tip
      return { stored: this.#transactions.change((session) => this.#write(session, batch, before)) }
    })
    await stored
  }

  /**
   * Removes all blocks above a height and all data derived from them, in one database transaction.
   * @throws StoreError `STORE_FENCED`; `STORE_CURSOR` if `height` is above the last stored block or below the
   * height before the first stored block, or if data above it was pruned; `STORE_UNAVAILABLE`
   */
  async undo(height: bigint): Promise<void> {
    await this.#transactions.inTurn(async () => {
      await this.#transactions.stored()
      const { sequence, block } = this.#transactions.tip
      const first = this.#chain.firstHeight - 1n
      const last = block?.height ?? first
      if (height > last || height < first) {
        const details = { expected: `${first} to ${last}`, actual: height }
        const message = `cannot undo to height ${height}: expected a height from ${details.expected}`
        throw new StoreError('STORE_CURSOR', message, { details })
      }
      if (height === last) return
      await this.#transactions.rewrite(sequence + last - height, async (session) => {
        await assertNotPruned(session, height)
        const canLookUp = !this.#transactions.isSharded && this.#transactions.missingIndexes === 0
        await undo(session, height, { sequence, canLookUp })
      })
      this.#consequences.forget()
    })
  }

  /**
   * Adds its traces to a block that is stored without them, in one database transaction, so that all data is as if the
   * block had been stored with its traces. `contracts` of the block are the facts about its contracts that
   * {@link unknownContracts} returns. Returns false and stores nothing if the block is no longer stored, or not without
   * its traces. The chain digests of all later blocks are then computed again by {@link refreshDigests}.
   * @throws StoreError `STORE_BLOCK` if the transactions or receipts differ from the stored ones, after which the writer
   * can still be used; `STORE_FENCED`, `STORE_UNAVAILABLE`
   */
  async fillTraces(indexed: IndexedBlock): Promise<boolean> {
    return this.#transactions.inTurn(async () => {
      await this.#transactions.stored()
      const { block } = indexed
      const row = await this.#store.driver.transaction((session) => untraced(session, block))
      if (row === undefined || block.traces === undefined) return false
      assertStored(block, row)
      // Also without a change, readers take the chain as advanced.
      const sequence = this.#transactions.tip.sequence + 1n
      const isFilled = await this.#transactions.rewrite(sequence, async (session) => {
        // Its data may have been removed since it was read.
        const isOpen = (await untraced(session, block)) !== undefined
        if (isOpen) await fill(session, indexed, { row, sequence }, this.#consequences.contracts)
        return isOpen
      })
      this.#consequences.forget()
      return isFilled
    })
  }

  /**
   * Computes the chain digests of the next blocks again in one database transaction, if {@link fillTraces} has added traces to
   * an earlier block. Returns whether there are more; until then, the digests do not include the traces.
   * If a process ends in between, the next one continues. Commits wait for one such transaction only.
   * @param most maximum number of blocks; 1,000 by default
   * @throws StoreError `STORE_FENCED`, `STORE_UNAVAILABLE`
   */
  async refreshDigests(most?: number): Promise<boolean> {
    const isStale = (session: Session) => firstStale(session).then((height) => height !== undefined)
    if (!(await this.#store.driver.transaction(isStale))) return false
    return this.#transactions.inTurn(async () => {
      await this.#transactions.stored()
      return this.#transactions.rewrite(this.#transactions.tip.sequence, (session) =>
        refreshNext(session, most),
      )
    })
  }

  /**
   * Stores that the traces of a block were requested in vain, and from when on they are requested again, in Unix
   * seconds. Does nothing if the block is not stored without its traces.
   * @throws StoreError `STORE_FENCED`, `STORE_UNAVAILABLE`
   */
  async postponeTraces({ height, hash }: Pick<Block, 'height' | 'hash'>, due: bigint): Promise<void> {
    await this.#transactions.fenced((session) =>
      session.query(
        'update trace_gap set attempts = attempts + 1, due = $3 where height = $1 and hash = $2',
        [String(height), hash, String(due)],
      ),
    )
  }

  async #write(session: Session, batch: EvmBatch, before: Tip): Promise<Changed> {
    const { blocks, tip } = batch
    await session.query(commitSettings(blocks.length, this.#store.driver))
    const first = (before.block?.height ?? this.#chain.firstHeight - 1n) + 1n
    const last = tip.block?.height ?? first
    const made = await this.#transactions.partitions.ensure(session, EVM_PARTITIONED, first, last)
    const derive = () => this.#consequences.write(session, blocks, before.block)
    const parts = [() => batch.write(session), ...(this.#chain.isEventsOnly === true ? [] : [derive])]
    await inParallel(parts, blocks.length > 1)
    return { made, tip }
  }

  /**
   * Stops serving the chain, for a reason shown to readers. `EvmStore.snapshot` throws `STORE_HALTED` until
   * {@link resume}, {@link commit} or {@link undo} is called. The halt survives restarts.
   * @throws StoreError `STORE_FENCED`, `STORE_UNAVAILABLE`
   */
  async halt(reason: string): Promise<void> {
    await this.#setHalted(reason)
  }

  /**
   * Serves the chain again after {@link halt}.
   * @throws StoreError `STORE_FENCED`, `STORE_UNAVAILABLE`
   */
  async resume(): Promise<void> {
    await this.#setHalted(null)
  }

  /**
   * Stores the results of checking balances. Returns false and stores nothing if the block at which the contracts
   * were asked is no longer stored, or if the range does not follow the last checked range.
   * @throws StoreError `STORE_FENCED`, `STORE_UNAVAILABLE`
   */
  async storeChecks(results: CheckResults): Promise<boolean> {
    return this.#transactions.fenced((session) => storeChecks(session, results))
  }

  /**
   * Stores what contracts returned when they were read again, without empty answers. If the values of ERC-20 transfers are
   * ids, stored transfers become transfers of ERC-721. Returns false and stores nothing if the block is no longer stored.
   * @throws StoreError `STORE_FENCED`, `STORE_UNAVAILABLE`
   */
  async storeContracts(at: EvmSnapshots.EvmPosition, facts: readonly ContractFacts[]): Promise<boolean> {
    const stored = facts.filter(({ valuesAreIds }) => valuesAreIds !== true)
    for (const fact of facts.filter(({ valuesAreIds }) => valuesAreIds === true))
      await this.#transactions.inTurn(async () => {
        await this.#transactions.stored()
        const { sequence } = this.#transactions.tip
        stored.push(
          await this.#transactions.rewrite(sequence + 1n, (session) => turnByAnswer(session, fact, at)),
        )
        this.#consequences.forget()
      })
    return this.#transactions.fenced((session) => storeReadings(session, at, stored))
  }

  /**
   * Removes old data: drops partitions, and deletes rows in database transactions of bounded size, which do not make
   * commits wait. Returns whether there is more to remove. A partition that a reader keeps locked is left for the next
   * call. If a process ends in between, the next one continues.
   * PostgreSQL uses the space of deleted rows again after its next automatic vacuum.
   * @throws StoreError `STORE_FENCED`, `STORE_UNAVAILABLE`
   */
  async prune(options: PruneOptions): Promise<boolean> {
    const hasMore = await this.#pruning.step(options)
    // The rows of blocks that are stored without their traces may be removed, too.
    if (this.#transactions.untracedFrom !== undefined) this.#store.advanced(undefined)
    return hasMore
  }

  async #setHalted(reason: string | null): Promise<void> {
    await this.#transactions.inTurn(async () => {
      await this.#transactions.stored()
      await this.#transactions.fenced(async (session) => {
        await session.query('update cursor set halted = $1', [reason])
        await notify(session, this.#store)
      })
      this.#store.advanced(undefined)
    })
  }
}
