import { formatArray, type Session, toKey } from '@firn/sql'
import type { TransferRow } from '../EvmSchema.ts'
import { ZERO_ADDRESS } from './zeroAddress.ts'

/** Number of recipients in one transaction from which on it is an airdrop. */
export const MANY_RECIPIENTS = 10

/** A transfer, and the sender of its transaction. */
export interface Delivery
  extends Pick<TransferRow, 'height' | 'transaction_index' | 'contract' | 'recipient'> {
  readonly origin: Uint8Array
}

/** Numbers of a contract's transfers; see `token_airdrop`. */
interface Counts {
  readonly contract: Uint8Array
  airdropped: number
  others: number
}

const ZERO_KEY = toKey(ZERO_ADDRESS)

/** Counts transfers by whether their recipients sent the transaction, or were one of many. */
export class Airdrops {
  readonly #counts = new Map<string, Counts>()

  /** Adds all transfers of blocks, or takes them away. */
  add(deliveries: readonly Delivery[], sign: 1 | -1 = 1): void {
    const groups = Map.groupBy(
      deliveries,
      ({ height, transaction_index, contract }) => `${height} ${transaction_index} ${toKey(contract)}`,
    )
    for (const group of groups.values()) {
      const counts = this.#of((group[0] as Delivery).contract)
      const airdropped = countAirdropped(group)
      counts.airdropped += sign * airdropped
      counts.others += sign * (group.length - airdropped)
    }
  }

  #of(contract: Uint8Array): Counts {
    const key = toKey(contract)
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const counts = { contract, airdropped: 0, others: 0 }
    this.#counts.set(key, counts)
    return counts
  }

  /** Changes the stored counts. A contract without transfers has no row. */
  async write(session: Session): Promise<void> {
    const rows = [...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
    if (rows.length === 0) return
    const contracts = rows.map(({ contract }) => contract)
    await session.query(ADD, [
      contracts,
      formatArray(rows.map(({ airdropped }) => airdropped)),
      formatArray(rows.map(({ others }) => others)),
    ])
    const isUndo = rows.some(({ airdropped, others }) => airdropped < 0 || others < 0)
    if (isUndo) await session.query(REMOVE, [contracts])
  }
}

/** Returns the number of transfers of one transaction and contract that are part of an airdrop. */
function countAirdropped(group: readonly Delivery[]): number {
  if (group.length < MANY_RECIPIENTS) return 0
  const recipients = group
    .map(({ recipient, origin }) => (toKey(recipient) === toKey(origin) ? ZERO_KEY : toKey(recipient)))
    .filter((recipient) => recipient !== ZERO_KEY)
  return new Set(recipients).size < MANY_RECIPIENTS ? 0 : recipients.length
}

const ADD = `insert into token_airdrop as a (contract, airdropped, others)
  select * from unnest($1::bytea[], $2::int8[], $3::int8[])
  on conflict (contract) do update set airdropped = a.airdropped + excluded.airdropped, others = a.others + excluded.others`

const REMOVE = `delete from token_airdrop where contract = any($1::bytea[]) and airdropped = 0 and others = 0`
