import { Hex } from '@firn/codec'
import type { EvmStore } from '@firn/evm-store'
import { database } from '@firn/sql/testing'
import type { NodeBlock } from './evmMethods.ts'

/**
 * The contents of a chain that tests compare, as text: blocks with hashes, transfers, and the balances of
 * each address. For tests only.
 */
export interface Contents {
  readonly blocks: readonly string[]
  readonly transfers: readonly string[]
  readonly balances: readonly string[]
}

interface ReceiptJson {
  readonly transactionIndex: string
  readonly logs: readonly {
    readonly address: string
    readonly topics: readonly string[]
    readonly data: string
    readonly logIndex: string
  }[]
}

/**
 * Computes the expected contents of a chain of ERC-20 transfers from the node's answers alone. For tests
 * only.
 */
export function expectedContents(blocks: readonly NodeBlock[]): Contents {
  const transfers: string[] = []
  const balances = new Map<string, bigint>()
  const add = (token: string, address: string, amount: bigint) => {
    const key = `${token} ${address}`
    balances.set(key, (balances.get(key) ?? 0n) + amount)
  }
  for (const { block, receipts } of blocks) {
    for (const { transactionIndex, logs } of receipts as readonly ReceiptJson[]) {
      for (const { address, topics, data, logIndex } of logs) {
        const [from, to] = [topics[1], topics[2]].map((topic) => `0x${String(topic).slice(26)}`) as [
          string,
          string,
        ]
        const amount = BigInt(data)
        const position = `${Number(block['number'])} ${Number(transactionIndex)} ${BigInt(logIndex)}`
        transfers.push(`${position} ${address} ${from} ${to} ${amount}`)
        add(address, from, -amount)
        add(address, to, amount)
      }
    }
  }
  return {
    blocks: blocks.map(({ block }) => `${Number(block['number'])} ${block['hash']}`),
    transfers: transfers.sort(),
    balances: listed(balances),
  }
}

/**
 * Reads the stored contents of a chain in the same form as {@link expectedContents}, in one transaction. For tests
 * only.
 */
export async function storedContents(store: EvmStore): Promise<Contents> {
  return database(store)
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      const blocks = await db.selectFrom('block').select(['height', 'hash']).orderBy('height').execute()
      const transfers = await db.selectFrom('transfer').selectAll().execute()
      const columns = ['contract', 'address', 'since', 'balance'] as const
      const rows = await db
        .selectFrom('token_balance')
        .select(columns)
        .unionAll(db.selectFrom('token_holder').select(columns))
        .orderBy('since')
        .execute()
      const balances = new Map<string, bigint>()
      for (const { contract, address, balance } of rows)
        balances.set(`${Hex.encode(contract)} ${Hex.encode(address)}`, balance)
      return {
        blocks: blocks.map(({ height, hash }) => `${height} ${Hex.encode(hash)}`),
        transfers: transfers
          .map(({ height, transaction_index, log_index, contract, sender, recipient, amount }) =>
            [
              height,
              transaction_index,
              log_index,
              ...[contract, sender, recipient].map(Hex.encode),
              amount,
            ].join(' '),
          )
          .sort(),
        balances: listed(balances),
      }
    })
}

function listed(balances: ReadonlyMap<string, bigint>): string[] {
  const all = [...balances].filter(([, amount]) => amount !== 0n)
  return all.map(([key, amount]) => `${key} ${amount}`).sort()
}

/** Describes how the contents of two chains differ. Returns undefined if they are equal. For tests only. */
export function difference(actual: Contents, expected: Contents): string | undefined {
  for (const part of ['blocks', 'transfers', 'balances'] as const) {
    const [mine, other] = [new Set(actual[part]), new Set(expected[part])]
    const extra = actual[part].filter((one) => !other.has(one))
    const missing = expected[part].filter((one) => !mine.has(one))
    const isSame = extra.length + missing.length === 0 && actual[part].length === expected[part].length
    if (!isSame) {
      return `${part}: ${actual[part].length} of ${expected[part].length}, missing ${missing.length} (${missing[0]}), unexpected ${extra.length} (${extra[0]})`
    }
  }
  return undefined
}
