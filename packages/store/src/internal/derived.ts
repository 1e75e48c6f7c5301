import type { ChainAlias } from '@firn/codec'
import { formatArray, type Session, TableRows } from '@firn/sql'
import { Container } from '@firn/txs'
import type { Accepted, AcceptedVertices } from '../Accepted.ts'
import { type Database, DERIVED_TABLES } from '../Schema.ts'
import { addressesOf } from './addresses.ts'
import { timeOf, tipOf } from './Batch.ts'
import { burnedBy } from './burned.ts'

const DAY = 86_400n

/** Rows of the derived tables. Sums of a day are added to the stored ones. */
export class DerivedRows {
  readonly #avaxAssetId: Uint8Array
  readonly #proposals: Database['proposal'][] = []
  readonly #burned = new Map<string, Database['burned']>()
  readonly #rewarded: Rewarded[] = []

  constructor(avaxAssetId: Uint8Array) {
    this.#avaxAssetId = avaxAssetId
  }

  /** Adds the proposer of a block, if its container names one. */
  addProposer(chain: ChainAlias, height: bigint, container: Uint8Array): void {
    const opened = Container.open(container)
    if (opened.kind === 'preFork') return
    const { container: around } = opened
    if (around.type === 'Option' || around.certificate.length === 0) return
    this.#proposals.push({ chain, node_id: Container.proposer(around), height })
  }

  /** Adds what an accepted transaction burned. `time` is the time of the block that decided it. */
  addTransaction(chain: ChainAlias, time: bigint, bytes: Uint8Array): void {
    const { fee, deposited } = burnedBy(chain, bytes, this.#avaxAssetId)
    if (fee === 0n && deposited === 0n) return
    const day = time - (time % DAY)
    const key = `${chain} ${day}`
    const sums = this.#burned.get(key) ?? { chain, day, fee: 0n, deposited: 0n }
    this.#burned.set(key, { ...sums, fee: sums.fee + fee, deposited: sums.deposited + deposited })
  }

  /** Adds the owners of a reward. */
  addReward(reward: Rewarded): void {
    this.#rewarded.push(reward)
  }

  /** Writes the rows in the session's transaction, in which the transactions are stored already. */
  async write(session: Session): Promise<void> {
    await this.#writeRewarded(session)
    if (this.#proposals.length > 0) {
      const rows = new TableRows<Database['proposal']>('proposal', DERIVED_TABLES.proposal)
      for (const row of this.#proposals) rows.add(row)
      await session.copy(rows.target, rows.finish())
    }
    if (this.#burned.size === 0) return
    const sums = [...this.#burned.values()]
    await session.query(
      `insert into burned (chain, day, fee, deposited)
        select * from unnest($1::text[], $2::int8[], $3::numeric[], $4::numeric[])
        on conflict (chain, day) do update
          set fee = burned.fee + excluded.fee, deposited = burned.deposited + excluded.deposited`,
      [
        formatArray(sums.map(({ chain }) => chain)),
        formatArray(sums.map(({ day }) => day)),
        formatArray(sums.map(({ fee }) => fee)),
        formatArray(sums.map(({ deposited }) => deposited)),
      ],
    )
  }

  async #writeRewarded(session: Session): Promise<void> {
    const all = this.#rewarded.flatMap(({ txId, addresses, since }) =>
      addresses.map((address) => ({ txId, address, since })),
    )
    if (all.length === 0) return
    await session.query(
      `insert into rewarded (chain, address, name, height, position, since)
        select 'P', owner.address, t.name, t.height, t.position, min(owner.since)
        from unnest($1::bytea[], $2::bytea[], $3::int8[]) as owner (tx_id, address, since)
        join transaction as t on t.chain = 'P' and t.id = owner.tx_id
        where not exists (select from transaction_address as known where known.chain = 'P'
          and known.address = owner.address and known.height = t.height and known.position = t.position)
        group by owner.address, t.name, t.height, t.position
        on conflict do nothing`,
      [
        all.map(({ txId }) => txId),
        all.map(({ address }) => address),
        formatArray(all.map(({ since }) => since)),
      ],
    )
  }
}

/** A reward: the transaction under whose id it was created, its owners, and the height at which it was paid. */
export interface Rewarded {
  readonly txId: Uint8Array
  readonly addresses: readonly Uint8Array[]
  readonly since: bigint
}

/**
 * Returns the derived rows of blocks or vertices that are committed together.
 * @param linearized time of the X-chain's block 0, to which its vertices belong
 */
export function derive(
  batch: readonly (Accepted | AcceptedVertices)[],
  avaxAssetId: Uint8Array,
  linearized: bigint,
): DerivedRows {
  const rows = new DerivedRows(avaxAssetId)
  for (const item of batch) {
    const time = 'vertices' in item ? linearized : addBlock(rows, item)
    for (const change of item.changes) {
      if (change.type === 'utxo' && change.after?.origin === 'reward') {
        const { utxo, height: since } = change.after
        rows.addReward({ txId: utxo.txID, addresses: addressesOf(utxo.output), since })
      }
      if (change.type !== 'transaction' || change.status === 'Aborted') continue
      rows.addTransaction(item.chain, time, change.bytes)
    }
  }
  return rows
}

/** Adds the proposer of a block. Returns the time of the block. */
function addBlock(rows: DerivedRows, item: Accepted): bigint {
  const tip = tipOf(item)
  if (item.container !== undefined) rows.addProposer(item.chain, tip.height, item.container.bytes)
  return timeOf(tip)
}
